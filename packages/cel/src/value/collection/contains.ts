// `elem in container`: equality over a list's elements, lookup among a map's keys.

import { CelObject } from "@celadon/base";
import { isPlainObject } from "../box.ts";
import { property } from "../data-property.ts";
import { equal } from "../equal.ts";
import { CelError, isError, noSuchOverload } from "../error.ts";
import { work } from "../size/work.ts";
import { ListValue, MapValue, type Value } from "../value.ts";
import { type AnyMap, mapFind } from "./any-map.ts";
import { type List, listGet, listSize } from "./list.ts";

/** Longer lists count as work: a search in them may cost one at any size. */
export const SHORT_LIST = 1000;

/** In a list a comparison that fails counts as "not this one". */
export function listContains(list: List, elem: Value): boolean | CelError {
  if (list instanceof ListValue && list.contains !== undefined) return list.contains(elem);
  const size = listSize(list);
  if (size > SHORT_LIST) work(size);
  for (let i = 0; i < size; i++) {
    if (equal(elem, listGet(list, i)) === true) return true;
  }
  return false;
}

/** Whether a map has a key; an error when the key has a type that maps cannot have. */
export function mapContains(map: AnyMap, key: Value): boolean | CelError {
  if (map instanceof MapValue && map.contains !== undefined) return map.contains(key);
  const found = mapFind(map, key);
  return isError(found) ? found : found !== undefined;
}

/** Whether a list has an element, or a map a key: `in`. */
export function contains(container: Value, elem: Value): boolean | CelError {
  if (Array.isArray(container) || container instanceof ListValue) return listContains(container, elem);
  if (container instanceof MapValue || isPlainObject(container)) return mapContains(container, elem);
  if (container instanceof CelError) return container;
  return isInstance(container) && typeof elem === "string" ? property(container, elem) !== undefined : noSuchOverload();
}

/** An object of a host's class. */
function isInstance(value: Value): value is object {
  return typeof value === "object" && value !== null && !(value instanceof CelObject || value instanceof Uint8Array);
}
