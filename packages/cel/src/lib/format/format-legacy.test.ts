// Texts recorded from Kubernetes v1.36 (cel-go v0.26, strings library version 2).

import { expect, test } from "vitest";
import { CelMap } from "../../value/collection/map.ts";
import { INT, LIST } from "../../value/type.ts";
import { Double, Duration, Optional, Timestamp, Uint } from "../../value/value.ts";
import { call } from "../library.testing.ts";
import { networkLibrary } from "../network.ts";
import { stringsLibrary } from "../strings.ts";

const library = stringsLibrary(2);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const map = (...entries: [unknown, unknown][]): unknown => CelMap.from(entries);
const instant = (text: string, nanos = 0, offset = 0): Timestamp =>
  new Timestamp(Date.parse(text) / 1000, nanos, offset);
const MAX = 9223372036854775807n;
const MIN = -9223372036854775808n;
const ip = call(networkLibrary, "string_to_ip", "::1");

const STRING_CLAUSE =
  "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
const failed = (message: string) => ({ error: `error during formatting: ${message}` });
const unread = (message: string) => ({ error: `could not parse formatting clause: ${message}` });
const precision = (message: string) => unread(`error while parsing precision: ${message}`);

// biome-ignore format: one case per line
const cases: [format: string, args: unknown[], want: unknown][] = [
  ["no verbs", [], "no verbs"],
  ["%%%s%%", ["x"], "%x%"],
  ["%d-%s", [1, "a"], "1-a"],
  ["%s and %s", ["<%s>", 7], "<%s> and 7"],
  ["%s", ["a", "b"], "a"],

  ["%s", ["é😀"], "é😀"],
  ["%s", [-1], "-1"],
  ["%s", [MAX], "9223372036854775807"],
  ["%s", [new Uint(18446744073709551615n)], "18446744073709551615"],
  ["%s", [0.1 + 0.2], "0.30000000000000004"],
  ["%s", [1e-7], "1e-07"],
  ["%s", [new Double(123456789)], "1.23456789e+08"],
  ["%s", [new Double(-0)], "-0"],
  ["%s", [true], "true"],
  ["%s", [null], "null"],
  ["%s", [bytes(0x61, 0x62)], "ab"],
  ["%s", [bytes(0xff)], failed('could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string')],
  ["%s", [INT], "int"],
  ["%s", [instant("2024-01-01T00:00:00Z", 500_000_000)], "2024-01-01T00:00:00.5Z"],
  ["%s", [instant("2023-12-31T22:00:00Z", 0, 120)], "2024-01-01T00:00:00+02:00"],
  ["%s", [new Duration(3660, 0)], "3660s"],
  ["%s", [new Duration(-1, -500_000_000)], "-1.5s"],
  ["%s", [new Duration(0, 1)], "0.000000001s"],

  ["%s", [[1, 2, 3]], "[1, 2, 3]"],
  ["%s", [[]], "[]"],
  ["%s", [["a", 'b"c']], '["a", "b\\"c"]'],
  ["%s", [["\x7f\0\u2028\u00a0\ud7ff\ufeff\u0600\u{e0001}"]], '["\\x7f\\x00\\u2028\\u00a0\\ud7ff\\ufeff\\u0600\\U000e0001"]'],
  ["%s", [["é", "\n", "😀", "\u200b"]], '["é", "\\n", "😀", "\\u200b"]'],
  ["%s", [[bytes(0x61, 0x22, 0)]], '[b"a\\"\\x00"]'],
  ["%s", [[true, null, new Uint(1), INT, LIST]], "[true, null, 1, int, list]"],
  ["%s", [[1.5, new Double(-0), 1e-10, 123456789.125]], "[1.500000, -0.000000, 0.000000, 123456789.125000]"],
  ["%s", [[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]], '["+Inf", "-Inf", "NaN"]'],
  ["%s", [[instant("2024-01-01T00:00:00Z", 123456789)]], '[timestamp("2024-01-01T00:00:00.123456789Z")]'],
  ["%s", [[new Duration(90, 0)]], '[duration("90s")]'],
  ["%s", [[[1], [2, 3]]], "[[1], [2, 3]]"],
  ["%s", [{ b: 1, a: 2 }], '{"a":2, "b":1}'],
  ["%s", [{ a: [1, { b: null }] }], '{"a":[1, {"b":null}]}'],
  ["%s", [{ é: 1, z: 2, "😀": 3, "\uffff": 4 }], '{"\\uffff":4, "z":2, "é":1, "😀":3}'],
  ["%s", [map([10, "a"], [9, "b"])], '{10:"a", 9:"b"}'],
  ["%s", [map([new Uint(1), "a"], [true, 1])], '{1:"a", true:1}'],
  ["%s", [map([1.5, 1])], failed("no formatting function for map key of type double")],
  ["%s", [ip], failed(`${STRING_CLAUSE}, was given net.IP`)],
  ["%s", [[ip]], failed("no formatting function for net.IP")],
  ["%s", [Optional.of(1)], failed(`${STRING_CLAUSE}, was given optional_type`)],
  ["%s", [{ a: [Optional.none] }], failed("no formatting function for optional_type")],

  ["%d", [MIN], "-9223372036854775808"],
  ["%.2d", [5], "5"],
  ["%d", [1.5], failed("decimal clause can only be used on integers, was given double")],
  ["%d", [new Double(1)], failed("decimal clause can only be used on integers, was given double")],
  ["%d", [instant("2024-01-01T00:00:00Z")], failed("decimal clause can only be used on integers, was given google.protobuf.Timestamp")],

  ["%f", [0.1], "0.100000"],
  ["%.2f", [1234567.891], "1,234,567.89"],
  ["%.2f", [1e21], "1,000,000,000,000,000,000,000.00"],
  ["%.3f", [999.9999], "1,000.000"],
  ["%.0f", [0.5], "0"],
  ["%.0f", [1.5], "2"],
  ["%.0f", [2.5], "2"],
  ["%.0f", [999.5], "1,000"],
  ["%.2f", [0.125], "0.12"],
  ["%.2f", [0.375], "0.38"],
  ["%.2f", [1.005], "1.00"],
  ["%.20f", [0.1], "0.10000000000000000555"],
  ["%f", [new Double(-0)], "0.000000"],
  ["%f", [-0.0000001], "-0.000000"],
  ["%f", [Number.POSITIVE_INFINITY], "∞"],
  ["%.1f", ["-Infinity"], "-∞"],
  ["%f", ["NaN"], "NaN"],
  ["%f", ["Inf"], failed("fixed-point clause can only be used on doubles, was given string")],
  ["%f", [5], failed("fixed-point clause can only be used on doubles, was given int")],
  ["%.300f", [0.1], "0.1000000000000000055511151231257827021181583404541015625"],
  ["%.257f", [new Double(1)], "1.0"],
  ["%.32768f", [0.1], "0.1"],
  ["%.32768f", [1e-7], "0.0000001"],
  ["%.33024f", [1e21], "1,000,000,000,000,000,000,000"],
  ["%.65536f", [1.5], "2"],
  ["%.65537f", [1.25], "1.2"],
  ["%.10000010f|%s", [1.5, "a"], "%!(NOVERB)|a"],
  ["%.9223372036854775807f", [1.5], "%!(NOVERB)"],

  ["%e", [1.5], "1.500000×10⁰⁰"],
  ["%e", [new Double(0)], "0.000000×10⁰⁰"],
  ["%e", [new Double(-0)], "0.000000×10⁰⁰"],
  ["%e", [1e100], "1.000000×10¹⁰⁰"],
  ["%e", [5e-324], "4.940656×10⁻³²⁴"],
  ["%e", [9.9999995], "9.999999×10⁰⁰"],
  ["%e", [9.9999999], "1.000000×10⁰¹"],
  ["%e", [1.0000005], "1.000001×10⁰⁰"],
  ["%e", [new Double(12345675)], "1.234568×10⁰⁷"],
  ["%e", [new Double(12345665)], "1.234566×10⁰⁷"],
  ["%.0e", [1.5], "1.500000×10⁰⁰"],
  ["%.20e", [-1.5], "      -1.500000×10⁰⁰"],
  ["%.65550e", [1.5], " 1.500000×10⁰⁰"],
  ["%.10000010e", [1.5], "%!(NOVERB)"],
  ["%e", ["Infinity"], "     ∞"],
  ["%e", [Number.NaN], "   NaN"],
  ["%e", [5], failed("scientific clause can only be used on doubles, was given int")],

  ["%x %X", [-255, 255], "-ff FF"],
  ["%X", [new Uint(18446744073709551615n)], "FFFFFFFFFFFFFFFF"],
  ["%x", [MIN], "-8000000000000000"],
  ["%x", ["é😀"], "c3a9f09f9880"],
  ["%X", [bytes(0xab, 1)], "AB01"],
  ["%x", [true], failed("only integers, byte buffers, and strings can be formatted as hex, was given bool")],
  ["%o", [-8], "-10"],
  ["%o", ["a"], failed("octal clause can only be used on integers, was given string")],
  ["%b", [-5], "-101"],
  ["%b %b", [true, false], "1 0"],
  ["%b", [MIN], "-1000000000000000000000000000000000000000000000000000000000000000"],
  ["%b", [1.5], failed("only integers and bools can be formatted as binary, was given double")],

  ["%d/%d", [1], { error: "index 1 out of range" }],
  ["x%", ["a"], { error: "unexpected end of string" }],
  ["x%", [], { error: "index 0 out of range" }],
  ["%z", [], { error: "index 0 out of range" }],
  ["%d%z", ["a"], failed("decimal clause can only be used on integers, was given string")],
  ["%z", ["a"], unread('unrecognized formatting clause "z"')],
  ["%é", ["a"], unread('unrecognized formatting clause "Ã"')],
  ["%世", ["a"], unread('unrecognized formatting clause "ä"')],
  ["%😀", ["a"], unread('unrecognized formatting clause "ð"')],
  ["%5d", [5], unread('unrecognized formatting clause "5"')],
  ["%.1.2f", [1.5], unread('unrecognized formatting clause "."')],
  ["%.2", [1.5], precision("could not find end of precision specifier")],
  ["%.f", [1.5], precision('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax')],
  ["%.-1f", [1.5], precision('error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax')],
  ["%.9223372036854775808f", [1.5], precision('error while converting precision to integer: strconv.Atoi: parsing "9223372036854775808": value out of range')],
];
test.each(cases)("%j %o", (format, args, want) => {
  expect(call(library, "string_format", format, args)).toEqual(want);
});

test("sizes that would wrap", () => {
  const size = (format: string, value: number): number =>
    (call(library, "string_format", format, [value]) as string).length;
  expect([size("%.255f", 0.1), size("%.32767f", 0.1), size("%.1000000f", 1.5)]).toEqual([257, 257, 66]);
  expect([size("%.65535e", 1.5), size("%.65536e", 1.5), size("%.10000009e", 1.5)]).toEqual([65535, 13, 38537]);
});

test("a value that contains itself is refused", () => {
  const loop: unknown[] = [];
  loop.push({ loop });
  expect(call(library, "string_format", "%s", [loop])).toEqual(failed("value nests deeper than 500 levels"));
});
