// Arithmetic of timestamps and durations with the reference's limits, and their accessors.

import { type CelError, isError } from "../error.ts";
import { intOverflow } from "../int.ts";
import type { Duration, Timestamp } from "../value.ts";
import { civilFromDays, dayOf, daysFromCivil, secondOfDay } from "./calendar.ts";
import { durationSeconds } from "./time-format.ts";
import { MAX_DURATION_SECONDS, makeDuration, makeTimestamp } from "./time-range.ts";
import { zoneOffset } from "./zone.ts";

export { parseDuration, parseTimestamp } from "./parse-time.ts";
export { formatDuration, formatTimestamp } from "./time-format.ts";
export * from "./time-range.ts";

// --- durations

export function addDurations(a: Duration, b: Duration): Duration | CelError {
  return makeDuration(a.seconds + b.seconds, a.nanos + b.nanos) ?? intOverflow();
}
export function subDurations(a: Duration, b: Duration): Duration | CelError {
  return makeDuration(a.seconds - b.seconds, a.nanos - b.nanos) ?? intOverflow();
}
export function negDuration(d: Duration): Duration | CelError {
  return makeDuration(-d.seconds, -d.nanos) ?? intOverflow();
}

// Accessors of durations are totals. Go computes them as doubles and truncates, so 2562047h59m59.999999999s has 2562048
// hours; milliseconds are exact.

export const durationHours = (d: Duration): number =>
  wholeAndRest(Math.trunc(d.seconds / 3600), (d.seconds % 3600) * 1e9 + d.nanos, 3600e9);
export const durationMinutes = (d: Duration): number =>
  wholeAndRest(Math.trunc(d.seconds / 60), (d.seconds % 60) * 1e9 + d.nanos, 60e9);
export const durationWholeSeconds = (d: Duration): number => Math.trunc(durationSeconds(d)) + 0;
export const durationMillis = (d: Duration): number => d.seconds * 1000 + Math.trunc(d.nanos / 1e6) + 0;

const wholeAndRest = (whole: number, restNanos: number, unit: number): number =>
  Math.trunc(whole + restNanos / unit) + 0;

// --- timestamps

export function addTimestamp(ts: Timestamp, d: Duration): Timestamp | CelError {
  const nanos = ts.nanos + d.nanos;
  const carry = Math.floor(nanos / 1e9);
  return makeTimestamp(ts.seconds + d.seconds + carry, nanos - carry * 1e9, ts.offsetMinutes);
}

export function subTimestamp(ts: Timestamp, d: Duration): Timestamp | CelError {
  const negated = negDuration(d);
  return isError(negated) ? negated : addTimestamp(ts, negated);
}

export function timestampDifference(a: Timestamp, b: Timestamp): Duration | CelError {
  const seconds = a.seconds - b.seconds;
  // The reference scales the seconds before it adds the nanoseconds, and refuses when the seconds alone do not fit.
  if (Math.abs(seconds) > MAX_DURATION_SECONDS) return intOverflow();
  return makeDuration(seconds, a.nanos - b.nanos) ?? intOverflow();
}

/** A field of a timestamp as seen in a zone, UTC when none is named. */
export type TimestampAccessor = (ts: Timestamp, zone?: string) => number | CelError;

function accessor(read: (localSeconds: number, ts: Timestamp) => number): TimestampAccessor {
  return (ts, zone) => {
    if (zone === undefined) return read(ts.seconds, ts);
    const offset = zoneOffset(zone, ts.seconds);
    return isError(offset) ? offset : read(ts.seconds + offset, ts);
  };
}

export const fullYear: TimestampAccessor = accessor((s) => civilFromDays(dayOf(s)).year);
/** 0..11 */
export const month: TimestampAccessor = accessor((s) => civilFromDays(dayOf(s)).month - 1);
/** 0..365 */
export const dayOfYear: TimestampAccessor = accessor(
  (s) => dayOf(s) - daysFromCivil(civilFromDays(dayOf(s)).year, 1, 1),
);
/** 0..30 */
export const dayOfMonth: TimestampAccessor = accessor((s) => civilFromDays(dayOf(s)).day - 1);
/** 1..31 */
export const date: TimestampAccessor = accessor((s) => civilFromDays(dayOf(s)).day);
/** 0 is Sunday; the epoch was a Thursday. */
export const dayOfWeek: TimestampAccessor = accessor((s) => (((dayOf(s) + 4) % 7) + 7) % 7);
export const hours: TimestampAccessor = accessor((s) => Math.floor(secondOfDay(s) / 3600));
export const minutes: TimestampAccessor = accessor((s) => Math.floor(secondOfDay(s) / 60) % 60);
export const seconds: TimestampAccessor = accessor((s) => secondOfDay(s) % 60);
export const milliseconds: TimestampAccessor = accessor((_, ts) => Math.floor(ts.nanos / 1e6));
