import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelError } from "../error.ts";
import { readLines } from "../tagged.testing.ts";
import { formatValue } from "../text/format-go.ts";
import { type Duration, Timestamp } from "../value.ts";
import * as time from "./time.ts";

const ACCESSORS = [
  time.fullYear,
  time.month,
  time.dayOfYear,
  time.dayOfMonth,
  time.date,
  time.dayOfWeek,
  time.hours,
  time.minutes,
  time.seconds,
  time.milliseconds,
];

const timestamp = (text: string): Timestamp => time.parseTimestamp(text) as Timestamp;
const duration = (text: string): Duration => time.parseDuration(text) as Duration;
const show = (v: unknown): string => {
  if (v instanceof CelError) return v.message;
  return v instanceof Timestamp ? time.formatTimestamp(v) : time.formatDuration(v as Duration);
};

const seconds = fc.integer({ min: time.MIN_TIMESTAMP_SECONDS, max: time.MAX_TIMESTAMP_SECONDS });
const nanos = fc.integer({ min: 0, max: 999999999 });
const timestamps = fc.tuple(seconds, nanos).map(([s, n]) => new Timestamp(s, n));
const durations = fc.bigInt(-(1n << 63n), (1n << 63n) - 1n).map(time.durationFromNanos);

describe("time zones, as recorded", () => {
  const lines = readLines<{ time: string; zone: string; fields?: number[]; error?: string }>("zones.jsonl");
  test.each(lines)("$time in '$zone'", ({ time: text, zone, fields, error }) => {
    const read = ACCESSORS.map((accessor) => accessor(timestamp(text), zone));
    if (error === undefined) expect(read).toEqual(fields);
    else expect((read[0] as CelError).message).toBe(error);
  });
});

test("accessors agree with the JavaScript calendar", () => {
  fc.assert(
    fc.property(timestamps, (ts) => {
      const js = new Date(ts.seconds * 1000 + Math.floor(ts.nanos / 1e6));
      const newYear = new Date(js);
      newYear.setUTCMonth(0, 1);
      // biome-ignore format: as the accessors above
      expect(ACCESSORS.map((accessor) => accessor(ts))).toEqual([
        js.getUTCFullYear(), js.getUTCMonth(), Math.round((js.getTime() - newYear.getTime()) / 864e5), js.getUTCDate() - 1, js.getUTCDate(),
        js.getUTCDay(), js.getUTCHours(), js.getUTCMinutes(), js.getUTCSeconds(), js.getUTCMilliseconds(),
      ]);
    }),
  );
});

test("a timestamp's text reads back as the same instant and offset", () => {
  fc.assert(
    fc.property(timestamps, fc.integer({ min: -1439, max: 1439 }), (ts, offset) => {
      // Beside the ends of the range, where the local year would need five digits or be 0.
      fc.pre(ts.seconds > time.MIN_TIMESTAMP_SECONDS + 86400 && ts.seconds < time.MAX_TIMESTAMP_SECONDS - 86400);
      const original = new Timestamp(ts.seconds, ts.nanos, offset);
      expect(timestamp(time.formatTimestamp(original))).toEqual(original);
    }),
  );
});

test("a duration's text reads back within a nanosecond while a double can hold its seconds", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -2000000, max: 2000000 }),
      fc.integer({ min: -999999999, max: 999999999 }),
      (s, n) => {
        const original = time.makeDuration(s, n) as Duration;
        const back = time.subDurations(duration(time.formatDuration(original)), original) as Duration;
        expect([back.seconds, Math.abs(back.nanos) <= 1]).toEqual([0, true]);
      },
    ),
  );
});

test("durations are exact in nanoseconds, and refused beyond 64 bits", () => {
  const total = (d: Duration): bigint => BigInt(time.durationToNanos(d));
  fc.assert(
    fc.property(durations, durations, (a, b) => {
      const [sum, difference] = [total(a) + total(b), total(a) - total(b)];
      const fits = (n: bigint): boolean => BigInt.asIntN(64, n) === n;
      const [added, subtracted] = [time.addDurations(a, b), time.subDurations(a, b)];
      expect(added instanceof CelError ? added.message : total(added)).toBe(fits(sum) ? sum : "integer overflow");
      expect(subtracted instanceof CelError ? subtracted.message : total(subtracted)).toBe(
        fits(difference) ? difference : "integer overflow",
      );
    }),
    { numRuns: 1000 },
  );
});

test("adding and subtracting a duration gives the same timestamp", () => {
  fc.assert(
    fc.property(timestamps, durations, (ts, d) => {
      const later = time.addTimestamp(ts, d);
      // Differences are refused a little before 64 bits are full, see timestampDifference.
      if (later instanceof CelError || Math.abs(d.seconds) >= 9223372036) return;
      expect(time.timestampDifference(later, ts)).toEqual(d);
      expect(time.subTimestamp(later, d)).toEqual(ts);
    }),
  );
});

// biome-ignore format: one case per line
const arithmetic: readonly (readonly [text: string, result: unknown, want: string])[] = [
  ["last instant + 1ns",    time.addTimestamp(timestamp("9999-12-31T23:59:59.999999999Z"), duration("1ns")),  "timestamp overflow"],
  ["first instant - 1ns",   time.subTimestamp(timestamp("0001-01-01T00:00:00Z"), duration("1ns")),            "timestamp overflow"],
  ["- shortest duration",   time.subTimestamp(timestamp("2024-01-01T00:00:00Z"), duration("-9223372036854775808ns")), "integer overflow"],
  ["keeps the offset",      time.addTimestamp(timestamp("2024-01-01T00:00:00+05:30"), duration("1.5s")),      "2024-01-01T00:00:01.5+05:30"],
  ["borrows a second",      time.subTimestamp(timestamp("2024-01-01T00:00:00Z"), duration("1ns")),            "2023-12-31T23:59:59.999999999Z"],
  ["longest difference",    time.timestampDifference(new Timestamp(9223372036, 854775807), new Timestamp(0, 0)), "9223372036.854776s"],
  ["beyond it",             time.timestampDifference(new Timestamp(9223372036, 854775808), new Timestamp(0, 0)), "integer overflow"],
  ["seconds alone beyond",  time.timestampDifference(new Timestamp(9223372037, 0), new Timestamp(0, 500000000)), "integer overflow"],
  ["whole range",           time.timestampDifference(timestamp("9999-12-31T23:59:59Z"), timestamp("0001-01-01T00:00:00Z")), "integer overflow"],
  ["-(shortest)",           time.negDuration(duration("-9223372036854775808ns")),                             "integer overflow"],
  ["0s",                    duration("-0s"),                                                                   "0s"],
  ["small",                 duration("1ns"),                                                                   "0.000000001s"],
];
test.each(arithmetic)("%s", (_, result, want) => expect(show(result)).toBe(want));

// biome-ignore format: one case per line
const goTexts: readonly (readonly [Duration | Timestamp, string])[] = [
  [duration("0s"), "0s"], [duration("1ns"), "1ns"], [duration("1500ns"), "1.5µs"], [duration("-2ms"), "-2ms"], [duration("1.5s"), "1.5s"],
  [duration("90s"), "1m30s"], [duration("1h"), "1h0m0s"], [duration("-2562047h47m16.854775808s"), "-2562047h47m16.854775808s"],
  [timestamp("2024-02-29T12:34:56.5+02:00"), "2024-02-29 12:34:56.5 +0200 +0200"], [timestamp("2024-02-29T12:34:56Z"), "2024-02-29 12:34:56 +0000 UTC"],
];
test.each(goTexts)("in messages: %o", (v, want) => expect(formatValue(v)).toBe(want));
