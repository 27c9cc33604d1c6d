// Plain JSON data, compared and read safely.

import { Double } from "@celadon/cel";
import { formatGoJson, quoteJson } from "@celadon/kube";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A map, not a number that is kept in a box. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof Double);
}

/**
 * Whether two objects say the same. A field that is absent and one that is an empty list or map are alike: that is how Go's
 * semantic comparison sees a change.
 */
export function sameMeaning(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => sameMeaning(item, b[i]));
  if (a instanceof Double || b instanceof Double) return numberOf(a) === numberOf(b);
  if (!isMap(a) || !isMap(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameMeaning(ownField(a, key), ownField(b, key)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isMap(value) && Object.keys(value).length === 0;
}

const numberOf = (value: unknown): unknown => (value instanceof Double ? value.value : value);

/** JSON as Go writes what it has not read: fields in their order. Integers of any size. */
export function compactJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (!isMap(value)) return formatGoJson(value);
  const fields = Object.entries(value).map(([key, item]) => `${quoteJson(key)}:${compactJson(item)}`);
  return `{${fields.join(",")}}`;
}

export function ownField(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
