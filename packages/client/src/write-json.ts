// Values as JSON text, with the integers beyond 2^53 and the whole doubles that read-json.ts keeps.

import { boxedNumber } from "@celadon/kube";

export function writeJson(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(writeJson).join(",")}]`;
  const boxed = boxedNumber(value);
  if (boxed !== undefined) return Number.isSafeInteger(boxed) ? boxed.toFixed(1) : JSON.stringify(boxed);
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(member)}`],
  );
  return `{${members.join(",")}}`;
}
