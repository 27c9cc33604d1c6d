// Plain JSON data, compared and read safely.

import { Double, formatGoJson, isRecord, own, quoteJson } from "@celadon/base";

/**
 * Whether two objects say the same, as Go's semantic comparison has it: a field that is absent, null or an empty list is the same. An
 * empty map is not: `namespaceSelector: {}` selects every namespace, and without it there is no selector.
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
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

const numberOf = (value: unknown): unknown => (value instanceof Double ? value.value : value);

/** JSON as Go writes it without decoding it: fields in their order. Integers of any size. */
export function compactJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (!isRecord(value)) return formatGoJson(value);
  const fields = Object.entries(value).map(([key, item]) => `${quoteJson(key)}:${compactJson(item)}`);
  return `{${fields.join(",")}}`;
}
