// Timestamps and durations: parsing as Go parses them, arithmetic with the reference's limits, and accessors.
// A timestamp lies in the years 1..9999; a duration is an int64 of nanoseconds, kept as seconds and nanoseconds.

import type { Int } from "../types/type.ts";
import { civilFromDays, dayOf, daysFromCivil, daysInMonth, secondOfDay, secondsFromCivil } from "./calendar.ts";
import { CelError, isError } from "./error.ts";
import { intOverflow, toInt } from "./int.ts";
import { durationSeconds } from "./time-format.ts";
import { Duration, Timestamp } from "./value.ts";
import { zoneOffset } from "./zone.ts";

export { formatDuration, formatTimestamp } from "./time-format.ts";

export const MIN_TIMESTAMP_SECONDS = -62135596800;
export const MAX_TIMESTAMP_SECONDS = 253402300799;
/** ⌊2^63 / 10^9⌋ seconds and the nanoseconds beyond. */
const MAX_DURATION_SECONDS = 9223372036;
const MAX_DURATION_NANOS = 854775807;

export const timestampOverflow = (): CelError => new CelError("overflow", "timestamp overflow");

// --- durations

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
export function durationToNanos(d: Duration): Int {
  const nanos = d.seconds * 1e9 + d.nanos;
  return Number.isSafeInteger(nanos) ? nanos : toInt(BigInt(d.seconds) * 1000000000n + BigInt(d.nanos));
}

const UNIT_NANOS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  "\u00b5s": 1e3,
  "\u03bcs": 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
};
const DURATION_PART = /(\d*)(?:(\.)(\d*))?([^\d.]+)/y;
const TWO_63 = 1n << 63n;

/** Go's time.ParseDuration; undefined for what it refuses. */
export function parseDuration(text: string): Duration | undefined {
  const negative = text.startsWith("-");
  const body = negative || text.startsWith("+") ? text.slice(1) : text;
  if (body === "0") return new Duration(0, 0);
  if (body === "") return undefined;
  let total = 0n;
  DURATION_PART.lastIndex = 0;
  while (DURATION_PART.lastIndex < body.length) {
    const part = DURATION_PART.exec(body);
    if (part === null) return undefined;
    const nanos = partNanos(part[1] ?? "", part[3] ?? "", part[4] ?? "");
    if (nanos === undefined) return undefined;
    total += nanos;
    if (total > TWO_63) return undefined;
  }
  if (!negative && total === TWO_63) return undefined;
  return durationFromNanos(negative ? -total : total);
}

/** One `1.5h`. The fraction is scaled in floating point and truncated, as Go does. */
function partNanos(whole: string, fraction: string, unitName: string): bigint | undefined {
  const unit = Object.hasOwn(UNIT_NANOS, unitName) ? UNIT_NANOS[unitName] : undefined;
  if (unit === undefined || (whole === "" && fraction === "")) return undefined;
  const digits = whole.replace(/^0+/, "");
  if (digits.length > 19) return undefined;
  let nanos = BigInt(digits) * BigInt(unit);
  if (nanos > TWO_63) return undefined;
  if (fraction !== "") {
    const [part, scale] = leadingFraction(fraction);
    nanos += BigInt(Math.trunc(Number(part) * (unit / scale)));
  }
  return nanos > TWO_63 ? undefined : nanos;
}

/** Fraction digits that fit 63 bits, and the power of ten they stand over; the rest is dropped. */
function leadingFraction(fraction: string): [digits: bigint, scale: number] {
  let [digits, scale] = [0n, 1];
  for (const char of fraction) {
    if (digits > (TWO_63 - 1n) / 10n) break;
    const next = digits * 10n + BigInt(char);
    if (next > TWO_63) break;
    digits = next;
    scale *= 10;
  }
  return [digits, scale];
}

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

export function makeTimestamp(seconds: number, nanos: number, offsetMinutes = 0): Timestamp | CelError {
  const inRange = seconds >= MIN_TIMESTAMP_SECONDS && seconds <= MAX_TIMESTAMP_SECONDS;
  return inRange ? new Timestamp(seconds, nanos, offsetMinutes) : timestampOverflow();
}

// Go's layout parser wants two digits everywhere but takes one for the hour, a comma for the decimal point, and offsets
// up to 24:60.
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Go's time.Parse with RFC 3339; undefined for what it refuses, an error beyond the years 1..9999. */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const nanos = Number((match[7] ?? "").slice(0, 9).padEnd(9, "0"));
  const [offsetHours, offsetRest] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 24 || offsetRest > 60) return undefined;
  const size = offsetHours * 60 + offsetRest;
  const offset = match[8] === "-" ? 0 - size : size;
  return makeTimestamp(secondsFromCivil(year, month, day, hour, minute, second) - offset * 60, nanos, offset);
}

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
