// JSON data in this project: integers are numbers while they are safe and bigints beyond, everything else numeric is a double, boxed when
// it is a safe integer. Keys come from outside, so they are read and set as own properties only: `__proto__` is a key like any other.

import { CelObject } from "./cel-object.ts";
import { Double } from "./double.ts";

/** A JSON object. */
export type JsonObject = Record<string, unknown>;

/** Steps to a value: names of members and indexes of elements. */
export type JsonPath = readonly (string | number)[];

/** The names that schemas give to kinds of JSON values: an integer is no number here. */
export type JsonKind = "null" | "boolean" | "string" | "integer" | "number" | "array" | "object";

/** The JSON type of a value, with integers as a type of their own. Values that are not JSON count as null. */
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
      return value instanceof Double ? "number" : "object";
    default:
      return "null";
  }
}

/** An object with members: not a list, not bytes, not a value in a box. */
export function isRecord(value: unknown): value is JsonObject {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof CelObject) &&
    !(value instanceof Uint8Array)
  );
}

/** A member, undefined when absent. */
export function own(object: Readonly<JsonObject> | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member, including names such as `__proto__` that an assignment would not set. */
export function setOwn(object: JsonObject, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else object[key] = value;
}

/** The member or element with a key; undefined if it does not exist, or if the value has no members. */
export function memberOf(value: unknown, key: string | number): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}

/** The value at a path; undefined if the path does not exist. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(memberOf, value);
}
