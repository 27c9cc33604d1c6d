// Plain JSON data, compared and read safely.

import { Double, formatGoJson, isRecord, own, quoteJson } from "@celadon/base";

export type JsonObject = Readonly<Record<string, unknown>>;

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
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => sameMeaning(own(a, key), own(b, key)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

const numberOf = (value: unknown): unknown => (value instanceof Double ? value.value : value);

/** JSON as Go writes what it has not read: fields in their order. Integers of any size. */
export function compactJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (!isRecord(value)) return formatGoJson(value);
  const fields = Object.entries(value).map(([key, item]) => `${quoteJson(key)}:${compactJson(item)}`);
  return `{${fields.join(",")}}`;
}
