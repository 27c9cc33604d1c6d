// Durations as Go reads and writes them: `1h30m` in, `1h30m0s` out.

import { quoteGo } from "@celadon/base";
import { parseDuration as celDuration, type Duration, isError } from "@celadon/cel";
import { durationToNanos, formatGoDuration } from "@celadon/cel/values";
import { Invalid } from "@celadon/kube/errors";

export function parseDuration(text: string): Duration | Invalid {
  const duration = celDuration(text);
  return isError(duration) ? new Invalid(`time: invalid duration ${quoteGo(text)}`) : duration;
}

/** Below zero when `a` is the shorter one. */
export function compareDurations(a: Duration, b: Duration): number {
  const [left, right] = [durationToNanos(a), durationToNanos(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

export function isNegative(duration: Duration): boolean {
  return durationToNanos(duration) < 0;
}

export const durationText: (duration: Duration) => string = formatGoDuration;
