// Properties of data. Plain objects and arrays have their own only. Instances of a host's classes are read as JavaScript reads them,
// getters included, but for the names that JavaScript's own objects have (`constructor`, `length`, `values`) and names that are
// array indexes: those are read by own property only.

import { isPlainObject } from "./box.ts";
import type { Value } from "./value.ts";

const NATIVE_PROTOTYPES: readonly object[] = [
  Object.prototype,
  Array.prototype,
  Uint8Array.prototype,
  Object.getPrototypeOf(Uint8Array.prototype) as object,
  ArrayBuffer.prototype,
  Map.prototype,
  Set.prototype,
  Date.prototype,
];

const NATIVE_NAMES: ReadonlySet<string> = new Set(
  NATIVE_PROTOTYPES.flatMap((prototype) => Object.getOwnPropertyNames(prototype)),
);

/** True when `object[key]` finds only data, for every kind of object. */
export function isDataKey(key: string): boolean {
  return /^[A-Za-z_]/.test(key) && !NATIVE_NAMES.has(key);
}

/** An instance of a class that extends Array is an instance like others. */
const isPlainArray = (target: object): boolean =>
  Array.isArray(target) && Object.getPrototypeOf(target) === Array.prototype;

export function property(target: object, key: string): Value {
  const direct = isDataKey(key) && !isPlainObject(target) && !isPlainArray(target);
  return direct || (Object.hasOwn(target, key) && !ArrayBuffer.isView(target))
    ? (target as Record<string, Value>)[key]
    : undefined;
}
