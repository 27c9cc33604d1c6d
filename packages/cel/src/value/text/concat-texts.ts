// `+` of strings. They count as growth: their cost pays for them, but evaluations without a cost limit pay any price.

import { memoryLimitExceeded, Stop } from "../size/stop.ts";
import { grow } from "../size/work.ts";

/** V8 makes no longer ones, in UTF-16 units; data may come close to it. */
const LONGEST_TEXT = 0x1fff_ffe8;

export function concatTexts(a: string, b: string): string {
  const length = a.length + b.length;
  grow(length);
  if (length > LONGEST_TEXT) throw new Stop(memoryLimitExceeded());
  return a + b;
}
