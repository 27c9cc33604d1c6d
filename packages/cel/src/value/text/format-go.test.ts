import { quoteGo } from "@celadon/base";
import { expect, test } from "vitest";
import { CelMap } from "../collection/map.ts";
import { celError } from "../error.ts";
import { INT, listOf } from "../type.ts";
import { Double, Optional, Uint } from "../value.ts";
import { formatValue } from "./format-go.ts";

// biome-ignore format: one case per line
const values: readonly (readonly [unknown, string])[] = [
  ["a b", "a b"], [1, "1"], [9223372036854775807n, "9223372036854775807"], [true, "true"], [new Uint(3), "3"],
  [new Double(1), "1"], [new Double(1000000), "1e+06"], [1234567.5, "1.2345675e+06"], [1e-5, "1e-05"], [Number.NaN, "NaN"], [new Double(-0), "-0"],
  [Number.NEGATIVE_INFINITY, "-Inf"], [new Uint8Array([97, 98]), "[97 98]"], [[1, "a", [new Double(2)]], "[1, a, [2]]"],
  [{ a: 1, b: ["x"] }, "{a: 1, b: [x]}"], [CelMap.from([[1, 2], ["k", new Uint(3)]]), "{1: 2, k: 3}"],
  [Optional.of(1), "optional(1)"], [Optional.none, "optional.none()"], [INT, "int"], [listOf(INT), "list(int)"],
  [celError("internal", "broken"), "broken"],
];
test.each(values)("%%v of %o is %s", (value, want) => expect(formatValue(value)).toBe(want));

// biome-ignore format: one case per line
const quoted: readonly (readonly [string, string])[] = [
  ["", '""'], ["a\"b\\c", '"a\\"b\\\\c"'], ["\x07\b\f\n\r\t\v", '"\\a\\b\\f\\n\\r\\t\\v"'], ["\x00\x1f\x7f", '"\\x00\\x1f\\x7f"'],
  ["naïve 😀", '"naïve 😀"'], ["\u00a0\u200b\u2028", '"\\u00a0\\u200b\\u2028"'], ["\u{e0001}", '"\\U000e0001"'], ["'`", "\"'`\""],
];
test.each(quoted)("quoted %j", (text, want) => expect(quoteGo(text)).toBe(want));
