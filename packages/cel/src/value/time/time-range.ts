// The ranges of timestamps and durations, and how values inside them are made. A timestamp lies in the years 1..9999; a
// duration is an int64 of nanoseconds, kept as seconds and nanoseconds of one sign.

import { CelError } from "../error.ts";
import { toInt } from "../int.ts";
import type { Int } from "../type.ts";
import { Duration, Timestamp } from "../value.ts";

export const MIN_TIMESTAMP_SECONDS = -62135596800;
export const MAX_TIMESTAMP_SECONDS = 253402300799;
/** ⌊2^63 / 10^9⌋ seconds and the nanoseconds beyond. */
export const MAX_DURATION_SECONDS = 9223372036;
const MAX_DURATION_NANOS = 854775807;

export const timestampOverflow = (): CelError => new CelError("overflow", "timestamp overflow");

/** A duration from any seconds and nanoseconds; undefined beyond 64 bits of nanoseconds. */
export function makeDuration(seconds: number, nanos: number): Duration | undefined {
  const carry = Math.trunc(nanos / 1e9);
  let [s, n] = [seconds + carry, nanos - carry * 1e9];
  if (s > 0 && n < 0) [s, n] = [s - 1, n + 1e9];
  else if (s < 0 && n > 0) [s, n] = [s + 1, n - 1e9];
  if (s > MAX_DURATION_SECONDS || (s === MAX_DURATION_SECONDS && n > MAX_DURATION_NANOS)) return undefined;
  if (s < -MAX_DURATION_SECONDS || (s === -MAX_DURATION_SECONDS && n < -MAX_DURATION_NANOS - 1)) return undefined;
  return new Duration(s + 0, n + 0);
}

/** The caller guarantees an int64. */
export function durationFromNanos(nanos: bigint): Duration {
  return new Duration(Number(nanos / 1000000000n), Number(nanos % 1000000000n));
}
/** A duration in nanoseconds. */
export function durationToNanos(d: Duration): Int {
  const nanos = d.seconds * 1e9 + d.nanos;
  return Number.isSafeInteger(nanos) ? nanos : toInt(BigInt(d.seconds) * 1000000000n + BigInt(d.nanos));
}

export function makeTimestamp(seconds: number, nanos: number, offsetMinutes = 0): Timestamp | CelError {
  const inRange = seconds >= MIN_TIMESTAMP_SECONDS && seconds <= MAX_TIMESTAMP_SECONDS;
  return inRange ? new Timestamp(seconds, nanos, offsetMinutes) : timestampOverflow();
}
