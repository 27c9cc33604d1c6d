// Values as JSON text, with the integers beyond 2^53 and the whole doubles that read-json.ts keeps.

import { Double } from "@celadon/base";

/** Writes JSON, with 64-bit integers as they are. */
export function writeJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  if (value instanceof Double) return Number.isSafeInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(member)}`],
  );
  return `{${members.join(",")}}`;
}
