// JSON data as objects hold it: integers are numbers while they are safe and bigints beyond, everything else numeric is a
// float; a float that is a safe integer is boxed, so that `1.0` stays one. Foreign keys are read as own properties only.

import { boxedNumber } from "@celadon/kube";

export type JsonObject = Record<string, unknown>;

export type JsonKind = "null" | "boolean" | "string" | "integer" | "number" | "array" | "object";

export function jsonKind(value: unknown): JsonKind {
  switch (typeof value) {
    case "string":
      return "string";
    case "number":
      return Number.isSafeInteger(value) ? "integer" : "number";
    case "bigint":
      return "integer";
    case "boolean":
      return "boolean";
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return "array";
      return boxedNumber(value) === undefined ? "object" : "number";
    default:
      return "null";
  }
}

/** A map of keys to values: not a list, not a boxed number. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && boxedNumber(value) === undefined;
}

export function isInteger(value: unknown): value is number | bigint {
  return typeof value === "bigint" || (typeof value === "number" && Number.isSafeInteger(value));
}

export function isFloat(value: unknown): boolean {
  return jsonKind(value) === "number";
}

/** The number that a JSON number stands for, rounded to a double where it is larger. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return typeof value === "object" && value !== null ? (boxedNumber(value) ?? Number.NaN) : Number.NaN;
}

export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a key, also one that an assignment would not set, such as `__proto__`. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** A float that prints as one, for values that errors show. */
export class ShownFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

/** A deep copy that nobody can change; boxed numbers are immutable already. */
export function frozenCopy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (boxedNumber(value) !== undefined) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, frozenCopy((value as JsonObject)[key]));
  return Object.freeze(copy);
}

/** Equal as Go's reflect.DeepEqual has it for decoded JSON: an integer is never a float. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return typeof a === "number" && typeof b === "number" && Number.isNaN(a) && Number.isNaN(b);
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!deepEqual(a[i], b[i])) return false;
    return true;
  }
  if (Array.isArray(b)) return false;
  const x = boxedNumber(a);
  const y = boxedNumber(b);
  if (x !== undefined || y !== undefined) return x === y;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(b, key) || !deepEqual((a as JsonObject)[key], (b as JsonObject)[key])) return false;
  }
  return true;
}
