// `enum`: a value matches an entry that it equals after Go's conversion to the entry's type, so `1.5` matches `1` and the
// integer 65 matches "A". Null matches nothing.

import { deepEqual, formatGoJson, jsonKind } from "@celadon/base";
import { isInteger, numberOf } from "../json.ts";

export function matchesEnum(value: unknown, entries: readonly unknown[]): boolean {
  if (value === null) return false;
  return entries.some((entry) => matches(value, entry));
}

function matches(value: unknown, entry: unknown): boolean {
  if (typeof value === "string" || typeof value === "boolean") return value === entry;
  const given = jsonKind(value);
  const wanted = jsonKind(entry);
  if (given === wanted) return deepEqual(value, entry);
  if (given === "integer" && wanted === "number") return numberOf(value) === numberOf(entry);
  if (given === "number" && wanted === "integer")
    return BigInt(Math.trunc(numberOf(value))) === BigInt(entry as number | bigint);
  if (given === "integer" && wanted === "string") return runeText(value as number | bigint) === entry;
  return false;
}

/** The text that an integer stands for as a code point. */
function runeText(n: number | bigint): string {
  const code = isInteger(n) ? Number(n) : -1;
  const valid = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000);
  return valid ? String.fromCodePoint(code) : "\ufffd";
}

/** Lists entries: texts as they are, everything else as JSON; sorted by name nowhere. */
export function enumTexts(entries: readonly unknown[]): string[] {
  return entries.map((entry) => (typeof entry === "string" ? entry : formatGoJson(entry)));
}
