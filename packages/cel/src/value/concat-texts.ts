// `+` of strings. Long ones count as made: their cost pays for them, but evaluations without a cost limit pay whatever is asked.

import { grow } from "./work.ts";

/** Up to this many UTF-16 units, what is made is too small to fill the memory in any reasonable time. */
export const SHORT_TEXT = 1000;

export function concatTexts(a: string, b: string): string {
  const length = a.length + b.length;
  if (length > SHORT_TEXT) grow(length);
  return a + b;
}
