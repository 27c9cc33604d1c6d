// The JSON kind of a value. Values are plain data as the readers give it: numbers that must not look like integers may be boxed.

import { Double, formatFloatJson } from "@celadon/base";
import { RawNumber, RepeatedMembers } from "../read/json/raw-json.ts";
import { Layers } from "./repeated.ts";

/** The name that Go's decoder gives a value of this kind. */
export function jsonType(value: unknown): "string" | "bool" | "number" | "array" | "object" {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
    default:
      if (Array.isArray(value)) return "array";
      return isMembers(value) ? "object" : "number";
  }
}

export function isMembers(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return value instanceof RepeatedMembers || value instanceof Layers;
}

export function isNumber(value: unknown): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof Double;
}

/** Whether a number is one that a double can be near to. */
export function isFiniteNumber(value: unknown): boolean {
  return Number.isFinite(value instanceof Double ? value.value : Number(value));
}

/** A number as it was written, as far as that is known: a boxed one that is whole had a fraction. */
export function numberText(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return plainText(value);
  if (value instanceof RawNumber) return value.text;
  const n = (value as Double).value;
  return Number.isInteger(n) ? `${formatFloatJson(n)}.0` : formatFloatJson(n);
}

// A whole number beyond 64 bits is read as a double.
function plainText(n: number): string {
  return Number.isInteger(n) && Math.abs(n) < 1e21 ? String(BigInt(n)) : formatFloatJson(n);
}
