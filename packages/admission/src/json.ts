// Plain JSON data, compared and read safely.

import { formatGoJson, isRecord, quoteJson } from "@celadon/base";

/** JSON as Go writes it without decoding it: fields in their order. Integers of any size. */
export function compactJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compactJson).join(",")}]`;
  if (!isRecord(value)) return formatGoJson(value);
  const fields = Object.entries(value).map(([key, item]) => `${quoteJson(key)}:${compactJson(item)}`);
  return `{${fields.join(",")}}`;
}
