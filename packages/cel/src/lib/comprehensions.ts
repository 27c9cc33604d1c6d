// ext.TwoVarComprehensions: folds that see index and element, or key and value. Upstream: cel-go ext/comprehensions.go.

import { fixed } from "../cost/formulas.ts";
import { TWO_VARIABLE_MACROS } from "../parse/two-variable-macros.ts";
import { type AnyMap, mapFind, mapKeys, mapSize } from "../value/collection/any-map.ts";
import { CelMap, ENTRY_GROWTH } from "../value/collection/map.ts";
import type { CelError } from "../value/error.ts";
import { isError } from "../value/error.ts";
import { growBy } from "../value/size/work.ts";
import { mapOf, param, type Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { fn, type Library } from "./library.ts";

const KEY = param("K");
const VALUE = param("V");
const MAP: Type<unknown, AnyMap> = mapOf(KEY, VALUE);

/** Macros with two variables: `all(i, v, …)`, `transformMap` and the like. */
// biome-ignore format: one overload per line
export const twoVariableLibrary: Library = {
  name: "cel.lib.ext.comprev2",
  macros: TWO_VARIABLE_MACROS,
  overloads: [
    // name            overload id                 arguments          result  cost      implementation
    fn("cel.@mapInsert", "@mapInsert_map_key_value", [MAP, KEY, VALUE], MAP,    fixed(1), insert),
    fn("cel.@mapInsert", "@mapInsert_map_map",       [MAP, MAP],        MAP,    fixed(1), insertAll),
  ],
};

/** Leaves the map as it is and answers a new one: only a fold knows that nobody else holds its accumulator. */
function insert(map: AnyMap, key: Value, value: Value): CelMap | CelError {
  const copy = copyOf(map);
  return isError(copy) ? copy : copy.insert(key, value);
}

function insertAll(map: AnyMap, more: AnyMap): CelMap | CelError {
  const copy = copyOf(map);
  return isError(copy) ? copy : (copy.insertAll(more) ?? copy);
}

function copyOf(map: AnyMap): CelMap | CelError {
  growBy(mapSize(map) * ENTRY_GROWTH);
  return map instanceof CelMap ? map.copy() : CelMap.from(mapKeys(map).map((key) => [key, mapFind(map, key)] as const));
}
