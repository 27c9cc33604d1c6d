// `+` of strings. Long ones count as made: their cost pays for them, but evaluations without a cost limit pay whatever is asked.

import { memoryLimitExceeded, Stop } from "./stop.ts";
import { grow } from "./work.ts";

/** Up to this many UTF-16 units, what is made is too small to fill the memory in any reasonable time. */
export const SHORT_TEXT = 1000;

/** V8 makes no longer ones, in UTF-16 units; data may come close to it. */
const LONGEST_TEXT = 0x1fff_ffe8;

export function concatTexts(a: string, b: string): string {
  const length = a.length + b.length;
  if (length > SHORT_TEXT) grow(length);
  if (length > LONGEST_TEXT) throw new Stop(memoryLimitExceeded());
  return a + b;
}
