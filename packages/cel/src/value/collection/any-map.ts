// Reading any map: a plain object (own string keys) or a MapValue.

import type { PlainObject } from "../box.ts";
import type { CelError } from "../error.ts";
import { keysOf } from "../size/measure.ts";
import { MapValue, type Value } from "../value.ts";

/** A map in either representation: a plain object, or a map with keys of other types. */
export type AnyMap = PlainObject | MapValue;

// In a plain object an undefined value is an absent key, as JSON would write it.

/** The number of entries of a map. */
export function mapSize(map: AnyMap): number {
  return map instanceof MapValue ? map.size : keysOf(map).length;
}

/** The value of a key; undefined when the map has none, an error when the key has a type that maps cannot have. */
export function mapFind(map: AnyMap, key: Value): Value | CelError | undefined {
  if (map instanceof MapValue) return map.find(key);
  return typeof key === "string" && Object.hasOwn(map, key) ? map[key] : undefined;
}

export function mapHas(map: AnyMap, key: Value): boolean {
  return mapFind(map, key) !== undefined;
}

/** The keys of a map, in its order. */
export function mapKeys(map: AnyMap): readonly Value[] {
  return map instanceof MapValue ? [...map.keys()] : keysOf(map);
}

export function firstKey(map: AnyMap): Value | undefined {
  if (!(map instanceof MapValue)) return keysOf(map)[0];
  for (const key of map.keys()) return key;
  return undefined;
}
