import { decodeUtf8, encodeUtf8, formatFloatV } from "@celadon/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as convert from "./convert.ts";
import { CelError } from "./error.ts";
import { parseFloat64 } from "./parse-number.ts";
import { type Answer, answerOf, parseDouble, readLines, recorded } from "./tagged.testing.ts";
import * as time from "./time/time.ts";
import { Double, type Duration, type Timestamp, Uint, type Value } from "./value.ts";

/** The bare result of a conversion to double or uint as a value. */
const boxed = (box: new (n: never) => Value, result: Value): Value =>
  result instanceof CelError ? result : new box(result as never);
const after = <T>(first: T | CelError, then: (value: T) => Value): Value =>
  first instanceof CelError ? first : then(first);
const onDuration = (then: (d: Duration) => Value) => (v: string) => after(convert.durationFromString(v), then);
const onTimestamp = (then: (ts: Timestamp) => Value) => (v: string) => after(convert.timestampFromString(v), then);

// biome-ignore format: one expression per line
const expressions: Readonly<Record<string, (v: string) => Value>> = {
  "int(v)":                        convert.intFromString,
  "uint(v)":                       (v) => boxed(Uint, convert.uintFromString(v)),
  "double(v)":                     (v) => boxed(Double, convert.doubleFromString(v)),
  "bool(v)":                       convert.boolFromString,
  "duration(v)":                   convert.durationFromString,
  "string(duration(v))":           onDuration(convert.stringFromDuration),
  "int(duration(v))":              onDuration(convert.intFromDuration),
  "duration(v).getHours()":        onDuration(time.durationHours),
  "duration(v).getMinutes()":      onDuration(time.durationMinutes),
  "duration(v).getSeconds()":      onDuration(time.durationWholeSeconds),
  "duration(v).getMilliseconds()": onDuration(time.durationMillis),
  "timestamp(v)":                  convert.timestampFromString,
  "string(timestamp(v))":          onTimestamp(convert.stringFromTimestamp),
};

describe("from text, as recorded", () => {
  const lines = readLines<Answer & { expr: string; v: string }>("conversions.jsonl");
  test.each(lines)("$expr, v = $v", ({ expr, v, ...answer }) => {
    expect(answerOf(expressions[expr]?.(v))).toEqual(recorded(answer));
  });
});

describe("from double, as recorded", () => {
  // biome-ignore format: one call per line
  const calls: Readonly<Record<string, (x: number) => Value>> = {
    string: convert.stringFromDouble,
    int:    convert.intFromDouble,
    uint:   (x) => boxed(Uint, convert.uintFromDouble(x)),
  };
  const lines = readLines<Answer & { call: string; arg: string }>("doubles.jsonl");
  test.each(lines)("$call($arg)", ({ call, arg, ...answer }) => {
    expect(answerOf(calls[call]?.(parseDouble(arg)))).toEqual(recorded(answer));
  });
});

// biome-ignore format: one case per line
const cases: readonly (readonly [text: string, result: Value, want: Value])[] = [
  ["uint(-1)",                      convert.uintFromInt(-1),                                "unsigned integer overflow"],
  ["uint(-2^63)",                   convert.uintFromInt(-9223372036854775808n),             "unsigned integer overflow"],
  ["int(2^63u)",                    convert.intFromUint(9223372036854775808n),              "integer overflow"],
  ["int(2^63-1u)",                  convert.intFromUint(9223372036854775807n),              9223372036854775807n],
  ["duration(1)",                   convert.durationFromInt(1),                             "type conversion error from 'int' to 'google.protobuf.Duration'"],
  ["timestamp(253402300800)",       convert.timestampFromInt(253402300800),                 "timestamp overflow"],
  ["timestamp(-62135596801)",       convert.timestampFromInt(-62135596801),                 "timestamp overflow"],
  ["timestamp(2^62)",               convert.timestampFromInt(4611686018427387904n),         "timestamp overflow"],
  ["double(9007199254740993)",      convert.doubleFromInt(9007199254740993n),               9007199254740992],
  ["string(b'\\xff')",              convert.stringFromBytes(new Uint8Array([255])),         "invalid UTF-8 in bytes, cannot convert to string"],
  ["string(b'\\xed\\xa0\\x80')",    convert.stringFromBytes(new Uint8Array([0xed, 0xa0, 0x80])), "invalid UTF-8 in bytes, cannot convert to string"],
  ["string(b'\\xef\\xbb\\xbfa')",   convert.stringFromBytes(new Uint8Array([0xef, 0xbb, 0xbf, 97])), "\ufeffa"],
  ["string(2^63-1)",                convert.stringFromInt(9223372036854775807n),            "9223372036854775807"],
];
test.each(cases)("%s", (_, result, want) => expect(result instanceof CelError ? result.message : result).toBe(want));

test("endless digits are refused at once", () => {
  const digits = "9".repeat(10_000_000);
  for (const parse of [convert.intFromString, convert.uintFromString, convert.durationFromString]) {
    expect(parse(digits)).toBeInstanceOf(CelError);
    expect(parse(`${"0".repeat(1_000_000)}x`)).toBeInstanceOf(CelError);
  }
  expect(convert.uintFromString(`${"0".repeat(1_000_000)}7`)).toBe(7);
  expect(convert.durationFromString(`${digits}h`)).toBeInstanceOf(CelError);
});

test("a double's text reads back as the same double", () => {
  fc.assert(
    fc.property(fc.double(), (x) => {
      expect(Object.is(parseFloat64(formatFloatV(x)), x)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("hexadecimal text is rounded once, to even", () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 1n << 70n), fc.integer({ min: -1150, max: 950 }), (mantissa, exponent) => {
      // The quotient or product of exact powers of two, computed by decimal text of unlimited precision.
      const exact = exponent >= 0 ? Number(mantissa << BigInt(exponent)) : divideByPowerOfTwo(mantissa, -exponent);
      expect(parseFloat64(`0x${mantissa.toString(16)}p${exponent}`)).toBe(Number.isFinite(exact) ? exact : undefined);
    }),
    { numRuns: 1000 },
  );
});

/** mantissa / 2^n, as the decimal expansion mantissa · 5^n / 10^n, which JavaScript reads correctly rounded. */
const divideByPowerOfTwo = (mantissa: bigint, n: number): number => Number(`${mantissa * 5n ** BigInt(n)}e-${n}`);

test("text and its UTF-8 bytes are the same text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (s) => {
      expect(decodeUtf8(encodeUtf8(s))).toBe(s);
    }),
  );
});

test("a hundred thousand digits with something else behind them are given up at once", () => {
  const digits = "1".repeat(100_000);
  for (const text of [`${digits}x`, `${digits}.${digits}x`, `.${digits}x`, `1e${digits}x`, `0x${digits}.${digits}x`]) {
    expect(parseFloat64(text)).toBe(undefined);
  }
});
