import { expect, test } from "vitest";
import { compare } from "./compare.ts";
import { CelError } from "./error.ts";
import { Double, Duration, Timestamp, Uint } from "./value.ts";

const NAN = "NaN values cannot be ordered";
const NONE = "no such overload";

// biome-ignore format: one case per line
const cases: readonly (readonly [a: unknown, b: unknown, want: number | string])[] = [
  [1, 2, -1], [2, 1, 1], [1, new Double(1), 0], [1, 1.5, -1], [new Uint(1), -1, 1], [new Uint(1), 0.5, 1],
  [9223372036854775807n, 2 ** 63, 0],                                  // rounded beside a double
  [9223372036854775807n, new Uint(9223372036854775808n), -1],          // exact between integers
  [9007199254740993n, 9007199254740992n, 1], [-9223372036854775808n, Number.NEGATIVE_INFINITY, 1],
  [new Double(-0), new Double(0), 0],
  [Number.NaN, 1, NAN], [1, Number.NaN, NAN], [Number.NaN, Number.NaN, NAN], [9007199254740993n, Number.NaN, NAN], [Number.NaN, "a", NAN],
  [false, true, -1], [true, true, 0], [true, 1, NONE],
  ["a", "b", -1], ["a", "aa", -1], ["", "", 0], ["Z", "a", -1], ["\uffee", "😀", -1], ["😀", "😁", -1], ["😀", "\ue000", 1],
  [new Uint8Array([1]), new Uint8Array([1, 0]), -1], [new Uint8Array([255]), new Uint8Array([1, 2]), 1],
  [new Timestamp(1, 5, 60), new Timestamp(1, 5), 0], [new Timestamp(-1, 999999999), new Timestamp(0, 0), -1],
  [new Duration(0, -1), new Duration(0, 0), -1], [new Duration(1, 0), new Timestamp(1, 0), NONE],
  ["a", 1, NONE], [1, "a", NONE], [null, null, NONE], [[1], [1], NONE], [{}, {}, NONE],
];
test.each(cases)("%o and %o: %s", (a, b, want) => {
  const order = compare(a, b);
  expect(order instanceof CelError ? order.message : order).toBe(want);
});
