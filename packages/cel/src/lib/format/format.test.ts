// Texts recorded from cel-go v0.26, strings library version 4, and the specification's conformance tests.

import fc from "fast-check";
import { expect, test } from "vitest";
import { CelMap } from "../../value/collection/map.ts";
import { CelError } from "../../value/error.ts";
import { STRING } from "../../value/type.ts";
import { Double, Duration, Optional, Timestamp, Uint } from "../../value/value.ts";
import { call, rowOf } from "../library.testing.ts";
import { stringsLibrary } from "../strings.ts";

const library = stringsLibrary(4);
const bytes = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const map = (...entries: [unknown, unknown][]): unknown => CelMap.from(entries);
const instant = (text: string, nanos = 0, offset = 0): Timestamp =>
  new Timestamp(Date.parse(text) / 1000, nanos, offset);
const SPECIAL = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const STRING_CLAUSE =
  "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
const failed = (message: string) => ({ error: `error during formatting: ${message}` });

// biome-ignore format: one case per line
const cases: [format: string, args: unknown[], want: unknown][] = [
  ["%%escaped %s%%", ["percent"], "%escaped percent%"],
  ["%s", [null], "null"],
  ["%s, %s", [true, 999999999999], "true, 999999999999"],
  ["%s", [bytes("xyz")], "xyz"],
  ["%s", [bytes("\xff")], "\ufffd"],
  ["%s", [STRING], "string"],
  ["%s", [instant("2023-02-03T23:31:20Z")], "2023-02-03T23:31:20Z"],
  ["%s", [instant("2023-12-31T22:00:00Z", 500_000_000, 120)], "2023-12-31T22:00:00.5Z"],
  ["%s", [new Duration(6347, 0)], "6347s"],
  ["%s", [new Duration(0, 1)], "0.000000001s"],
  ["%s %d", [new Double(-0), new Double(-0)], "-0 -0"],
  ["%s %s", [1e21, 1e-7], "1000000000000000000000 0.0000001"],
  ["%s %s %s", SPECIAL, "NaN Infinity -Infinity"],
  ["%s", [["abc", 3.14, null, [9, 8], instant("2023-02-03T23:31:20Z")]], "[abc, 3.14, null, [9, 8], 2023-02-03T23:31:20Z]"],
  ["%s", [{ key1: bytes("xyz"), key3: 2.5, key2: new Duration(7200, 0) }], "{key1: xyz, key2: 7200s, key3: 2.5}"],
  ["%s", [map(["strKey", "x"], [6, new Duration(422, 0)], [true, 42], [1.5, 1])], "{1.5: 1, 6: 422s, strKey: x, true: 42}"],
  ["%s", [[SPECIAL, []]], "[[NaN, Infinity, -Infinity], []]"],
  ["%s", [Optional.of(1)], failed(`${STRING_CLAUSE}, was given optional_type`)],
  ["%s", [{ a: Optional.of(1) }], failed(`${STRING_CLAUSE}, was given optional_type`)],

  ["%d %d %d", SPECIAL, "NaN Infinity -Infinity"],
  ["%d %d", [new Uint(64), 2.5], "64 2.5"],
  ["%d", ["a"], failed("decimal clause can only be used on ints, uints, and doubles, was given string")],

  ["%.3f", [1.2345], "1.234"],
  ["%f", [2.5625], "2.562500"],
  ["%.0f %.0f", [1.5, 2.5], "2 2"],
  ["%.3f", [-123.4999], "-123.500"],
  ["%.0f", [1e23], "99999999999999991611392"],
  ["%f %e", [new Double(-0), new Double(-0)], "-0.000000 -0.000000e+00"],
  ["%f %.2f %.0f", SPECIAL, "NaN Infinity -Infinity"],
  ["%f", ["NaN"], failed("fixed-point clause can only be used on ints, uints, and doubles, was given string")],
  ["%.6e", [1052.032911275], "1.052033e+03"],
  ["%.2e %.0e", [9.999, 1.5], "1.00e+01 2e+00"],
  ["%e", [1e-300], "1.000000e-300"],
  ["%e", [null], failed("scientific clause can only be used on ints, uints, and doubles, was given null_type")],

  ["%x %X", [30, "Hello"], "1e 48656C6C6F"],
  ["%x", [0.5], failed("only ints, uints, bytes, and strings can be formatted as hex, was given double")],
  ["%b %b", [true, new Uint(64)], "1 1000000"],
  ["%b", ["abc"], failed("only ints, uints, and bools can be formatted as binary, was given string")],
  ["%o", [new Uint(65535)], "177777"],
  ["%o", [null], failed("octal clause can only be used on ints and uints, was given null_type")],
  ["%d %d %d", [0, 1], { error: "index 2 out of range" }],
  ["%E", [0.5], { error: 'could not parse formatting clause: unrecognized formatting clause "E"' }],
];
test.each(cases)("%j %o", (format, args, want) => {
  expect(call(library, "string_format", format, args)).toEqual(want);
});

test.each(cases)("%j %o, the text a constant", (format, args, want) => {
  const special = rowOf(library, "string_format").specialize?.([format, undefined]);
  if (typeof special !== "function") throw new Error("not specialized");
  const result = special(format, args);
  expect(result instanceof CelError ? { error: result.message } : result).toEqual(want);
});

// Upstream hands integers to Go's verbs for floats, and what Go says to that is the answer.
// biome-ignore format: one case per line
test.each([
  { format: "%f %.2f %e",  args: [5, new Uint(5), 5], want: "%!f(int64=000005) %!f(uint64=05) %!e(int64=000005)" },
  { format: "%.3f %.0f",   args: [-5, -5],            want: "%!f(int64=-005) %!f(int64=-5)" },
  { format: "%.0f|%.0e",   args: [0, 0],              want: "%!f(int64=)|%!e(int64= )" },
  { format: "%.10000010f", args: [1.5],               want: "%!(NOVERB)%!(EXTRA float64=1.5)" },
  { format: "%.10000010e", args: [new Uint(5)],       want: "%!(NOVERB)%!(EXTRA uint64=5)" },
])("$format as Go has it", ({ format, args, want }) => expect(call(library, "string_format", format, args)).toBe(want));

test("fixed-point text is the value rounded half to even", () => {
  // x·10^digits as a fraction of whole numbers, divided with the remainder at hand.
  const rounded = (x: number, digits: number): bigint => {
    let [numerator, denominator] = [Math.abs(x), 1n];
    while (!Number.isInteger(numerator)) [numerator, denominator] = [numerator * 2, denominator * 2n];
    const scaled = BigInt(numerator) * 10n ** BigInt(digits);
    const [quotient, twice] = [scaled / denominator, (scaled % denominator) * 2n];
    const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
    return up ? quotient + 1n : quotient;
  };
  const value = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    // Eighths lie exactly between two texts often.
    fc.integer().map((n) => n / 8),
  );
  fc.assert(
    fc.property(value, fc.nat(8), (x, digits) => {
      const text = call(library, "string_format", `%.${digits}f`, [new Double(x)]) as string;
      expect(text).toMatch(digits === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${digits}}$`));
      expect(BigInt(text.replace(/[-.]/g, ""))).toBe(rounded(x, digits));
      expect(text.startsWith("-")).toBe(x < 0 || Object.is(x, -0));
    }),
  );
});

test("seventeen digits in scientific notation read back as the same double", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      expect(Number(call(library, "string_format", "%.16e", [new Double(x)]))).toBe(x);
    }),
  );
});
