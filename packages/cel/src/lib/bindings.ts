// ext.Bindings: `cel.bind(name, value, result)`. Upstream: cel-go ext/bindings.go.

import { fixed } from "../cost/formulas.ts";
import type { Macro } from "../parse/macro.ts";
import { DYN, listOf, param } from "../value/type.ts";
import { fn, type Library } from "./library.ts";
import { namespaced } from "./namespace.ts";

/** A fold over nothing: evaluators and cost know it by its empty range and name the value without iterating. */
const bind: Macro = namespaced("cel", "bind", 3, (make, _target, args) => {
  const [variable, value, result] = args;
  if (variable === undefined || value === undefined || result === undefined) return undefined;
  if (variable.kind !== "ident") return make.issue("cel.bind() variable names must be simple identifiers", variable);
  const { name } = variable;
  return make.fold(make.list(), "#unused", "", name, value, make.literal(false), make.ident(name), result);
});

const T = param("T");

/** Version 1 adds `cel.@block`, which optimisers write: a list of values computed at most once, named `@index0`, `@index1`… */
export function bindingsLibrary(version = 1): Library {
  return {
    name: "cel.lib.ext.cel.bindings",
    version,
    macros: [bind],
    overloads: version < 1 ? [] : [fn("cel.@block", "cel_block_list", [listOf(DYN), T], T, fixed(1))],
  };
}
