// Lists and maps in formatted text. Dialects decide how the elements look.

import { compareStrings } from "@celadon/base";
import { type AnyMap, mapFind, mapKeys } from "../../value/collection/any-map.ts";
import { type List, listGet, listSize } from "../../value/collection/list.ts";
import { type CelError, celError } from "../../value/error.ts";
import { grow, work } from "../../value/size/work.ts";
import type { Value } from "../../value/value.ts";
import { MAX_TEXT_LENGTH, textTooLong } from "../string/text-limit.ts";

/** Values nested deeper are refused: plain objects may contain themselves, and the stack is finite. */
export const MAX_NESTING = 500;

export function nestsTooDeeply(): CelError {
  return celError("invalid_argument", `value nests deeper than ${MAX_NESTING} levels`);
}

/** The work of formatting an element of any length. */
const ELEMENT = 10;

type ToText = (value: Value) => string | CelError;

export function listText(list: List, toText: ToText): string | CelError {
  const size = listSize(list);
  let text = "[";
  for (let i = 0; i < size; i++) {
    const element = toText(listGet(list, i));
    if (typeof element !== "string") return element;
    work(ELEMENT);
    grow(element.length + 2);
    text += i === 0 ? element : `, ${element}`;
    if (text.length > MAX_TEXT_LENGTH) return textTooLong();
  }
  return `${text}]`;
}

/** Entries in the order of their keys' texts. */
export function mapText(map: AnyMap, keyToText: ToText, toText: ToText, colon: string): string | CelError {
  const entries: [key: string, value: string][] = [];
  let length = 0;
  for (const key of mapKeys(map)) {
    const keyText = keyToText(key);
    if (typeof keyText !== "string") return keyText;
    const value = toText(mapFind(map, key));
    if (typeof value !== "string") return value;
    work(ELEMENT);
    grow(keyText.length + value.length + 2);
    entries.push([keyText, value]);
    length += keyText.length + value.length;
    if (length > MAX_TEXT_LENGTH) return textTooLong();
  }
  entries.sort(([a], [b]) => compareStrings(a, b));
  return `{${entries.map(([key, value]) => `${key}${colon}${value}`).join(", ")}}`;
}
