// JSON data as schemas see it: integers, floats, and frozen copies.

import { Double, isRecord, type JsonObject, jsonKind, setOwn } from "@celadon/base";

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
  return value instanceof Double ? value.value : Number.NaN;
}

/** A deep copy that nobody can change; boxed numbers are immutable already. */
export function frozenCopy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy));
  if (!isRecord(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, frozenCopy(value[key]));
  return Object.freeze(copy);
}
