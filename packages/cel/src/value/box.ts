// Between bare and boxed numbers, and what kind of value something is. A plain number that is a safe integer is an int; every other number
// is a double; Double and Uint make distinctions that a plain number cannot.

import type { Int } from "./type.ts";
import { Double, ListValue, MapValue, Uint } from "./value.ts";

/** An unsigned integer: a JavaScript number would be an int. */
export function boxUint(n: Int): Uint {
  return new Uint(n);
}
/** The number of a double, boxed or not. */
export function bareDouble(v: number | Double): number {
  return typeof v === "number" ? v : v.value;
}

/** Whether a value is an int: a safe integer, or a bigint beyond. */
export function isInt(v: unknown): v is Int {
  return typeof v === "number" ? Number.isSafeInteger(v) : typeof v === "bigint";
}
/** Whether a value is a double. A number that is a safe integer is an int unless it is boxed. */
export function isDouble(v: unknown): v is number | Double {
  return typeof v === "number" ? !Number.isSafeInteger(v) : v instanceof Double;
}
/** Whether a value is an unsigned integer. */
export function isUint(v: unknown): v is Uint {
  return v instanceof Uint;
}

export type PlainObject = Readonly<Record<string, unknown>>;

/** An object literal or parsed JSON: nothing between it and Object.prototype. */
export function isPlainObject(v: unknown): v is PlainObject {
  if (typeof v !== "object" || v === null) return false;
  const proto: unknown = Object.getPrototypeOf(v);
  return proto === Object.prototype || proto === null;
}
/** Whether a value is a list, in either form. */
export function isList(v: unknown): v is readonly unknown[] | ListValue {
  return Array.isArray(v) || v instanceof ListValue;
}
/** Whether a value is a map, in either form. */
export function isMap(v: unknown): v is PlainObject | MapValue {
  return v instanceof MapValue || isPlainObject(v);
}
