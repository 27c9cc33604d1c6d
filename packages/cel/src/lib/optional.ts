// cel.lib.optional: values that may be absent. Version 1 brings optFlatMap, version 2 first, last and unwrap.
// `or` and `orValue` are evaluated by the planner, which leaves the right side alone when it is not needed.

import { costs, fixed } from "../cost/formulas.ts";
import type { Macro } from "../parse/macro.ts";
import { OPTIONAL_MACROS, SHARING_OPTIONAL_MACROS } from "../parse/optional-macros.ts";
import { type List, listGet, listIterate, listSize } from "../value/collection/list.ts";
import { CelError } from "../value/error.ts";
import { hasChange } from "../value/release.ts";
import { formatValue } from "../value/text/format-go.ts";
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, param, STRING, type Type } from "../value/type.ts";
import { BARE_OPTIONAL, OPTIONAL } from "../value/type-of.ts";
import { Optional, type Value } from "../value/value.ts";
import { isZeroValue } from "../value/zero.ts";
import { fn, type Library, method, type Overload, operator, since } from "./library.ts";

const LATEST = 2;

const K = param("K");
const V = param("V");
const OPTIONAL_V = optionalOf(V);
const LIST_V = listOf(V);
const MAP_KV = mapOf(K, V);
const OPTIONAL_LIST = optionalOf(LIST_V);
const OPTIONAL_MAP = optionalOf(MAP_KV);

/** Estimated like any call, but nothing is charged when it runs. */
const chained = costs({ text: "0", estimate: fixed(1).estimate, actual: () => 0 });

function dereference(optional: Optional): Value | CelError {
  return optional.hasValue ? optional.value : new CelError("invalid_argument", "optional.none() dereference");
}

const elementAt = (list: List, index: number): Optional | CelError => {
  if (index < 0 || index >= listSize(list)) return Optional.none;
  const elem = listGet(list, index);
  return elem instanceof CelError ? elem : Optional.of(elem);
};

/** The values that are present. */
function unwrap(list: List): readonly Value[] | CelError {
  const values: Value[] = [];
  for (const elem of listIterate(list)) {
    if (!(elem instanceof Optional)) {
      return elem instanceof CelError
        ? elem
        : new CelError("invalid_argument", `value ${formatValue(elem)} is not optional`);
    }
    if (elem.hasValue) values.push(elem.value);
  }
  return values;
}

// biome-ignore format: one overload per line
const core: readonly Overload[] = [
  //     name                        overload id                args                 result      cost      implementation
  fn(    "optional.of",              "optional_of",             [V],                 OPTIONAL_V, fixed(1), (v) => Optional.of(v)),
  fn(    "optional.ofNonZeroValue",  "optional_ofNonZeroValue", [V],                 OPTIONAL_V, fixed(1), (v) => (isZeroValue(v) ? Optional.none : Optional.of(v))),
  fn(    "optional.none",            "optional_none",           [],                  OPTIONAL_V, fixed(1), () => Optional.none),
  method("value",                    "optional_value",          [OPTIONAL_V],        V,          fixed(1), dereference),
  method("hasValue",                 "optional_hasValue",       [OPTIONAL_V],        BOOL,       fixed(1), (o) => o.hasValue),
  method("or",                       "optional_or_optional",    [OPTIONAL_V, OPTIONAL_V], OPTIONAL_V, chained),
  method("orValue",                  "optional_orValue_value",  [OPTIONAL_V, V],     V,          chained),

  operator(fn("_?._",  "select_optional_field",                [DYN, STRING],        OPTIONAL_V, fixed(1))),
  operator(fn("_[?_]", "list_optindex_optional_int",           [LIST_V, INT],        OPTIONAL_V, fixed(1))),
  operator(fn("_[?_]", "optional_list_optindex_optional_int",  [OPTIONAL_LIST, INT], OPTIONAL_V, fixed(1))),
  operator(fn("_[?_]", "map_optindex_optional_value",          [MAP_KV, K],          OPTIONAL_V, fixed(1))),
  operator(fn("_[?_]", "optional_map_optindex_optional_value", [OPTIONAL_MAP, K],    OPTIONAL_V, fixed(1))),
  operator(fn("_[_]",  "optional_list_index_int",              [OPTIONAL_LIST, INT], OPTIONAL_V, fixed(1))),
  operator(fn("_[_]",  "optional_map_index_value",             [OPTIONAL_MAP, K],    OPTIONAL_V, fixed(1))),
];

const LIST_OPTIONAL: Type<unknown, List> = listOf(OPTIONAL_V);

// biome-ignore format: one overload per line
const sinceTwo: readonly Overload[] = [
  since(23, method("last",            "list_last",          [LIST_V],        OPTIONAL_V, fixed(1), (list) => elementAt(list, listSize(list) - 1))),
  since(23, method("first",           "list_first",         [LIST_V],        OPTIONAL_V, fixed(1), (list) => elementAt(list, 0))),
  since(23, fn(    "optional.unwrap", "optional_unwrap",    [LIST_OPTIONAL], LIST_V,     fixed(1), unwrap)),
  since(23, method("unwrapOpt",       "optional_unwrapOpt", [LIST_OPTIONAL], LIST_V,     fixed(1), unwrap)),
];

/** Optional values: `optional.of`, `orValue`, `a.?b`, in the given version. */
export function optionalLibrary(version: number = LATEST): Library {
  const known = (macros: readonly Macro[]): readonly Macro[] => (version >= 1 ? macros : macros.filter(isOptMap));
  return {
    name: "cel.lib.optional",
    version,
    types: [OPTIONAL],
    olderTypes: (release) => {
      if (hasChange(release, "optionalsOfDyn")) return [OPTIONAL];
      return hasChange(release, "optionalTypeNamed") ? [BARE_OPTIONAL] : [];
    },
    overloads: version >= 2 ? [...core, ...sinceTwo] : core,
    macros: known(OPTIONAL_MACROS),
    olderMacros: (release) => {
      if (release >= 22) return known(OPTIONAL_MACROS);
      return release < 17 ? SHARING_OPTIONAL_MACROS.filter(isOptMap) : known(SHARING_OPTIONAL_MACROS);
    },
  };
}

const isOptMap = ({ name }: Macro): boolean => name === "optMap";
