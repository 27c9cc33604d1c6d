import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Range } from "./formula.ts";
import { add, EMPTY, exactly, MAX, multiply, range, scale, sum, UNKNOWN, union, wrap } from "./range.ts";

const bound = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, MAX), fc.constant(MAX));
const ranges = fc.tuple(bound, bound).map(([a, b]): Range => (a < b ? { min: a, max: b } : { min: b, max: a }));
const factor = fc.constantFrom(0, 0.1, 0.2, 0.25, 1, 2, 2.1, 50);

const within = (inner: Range, outer: Range) => outer.min <= inner.min && inner.max <= outer.max;
const valid = ({ min, max }: Range) => 0n <= min && min <= max && max <= MAX;
const unlimited = (n: bigint) => (n > MAX ? MAX : n);

// biome-ignore format: one case per line
test.each([
  { name: "sum",                 got: add(range(1, 2), range(10, 20)),   want: range(11, 22) },
  { name: "saturated sum",       got: add(UNKNOWN, exactly(1)),          want: range(1, MAX) },
  { name: "product",             got: multiply(range(2, 3), range(4, 5)), want: range(8, 15) },
  { name: "saturated product",   got: multiply(UNKNOWN, exactly(2)),     want: UNKNOWN },
  { name: "rounded up",          got: scale(range(1, 11), 0.1),          want: range(1, 2) },
  { name: "exact tenth",         got: scale(range(10, 30), 0.1),         want: range(1, 3) },
  { name: "unknown tenth",       got: scale(UNKNOWN, 0.1),               want: range(0, 1844674407370955264n) },
  { name: "unknown scaled by 1", got: scale(UNKNOWN, 1),                 want: UNKNOWN },
  { name: "scaled by 0",         got: scale(UNKNOWN, 0),                 want: exactly(0) },
  { name: "rounded as doubles",  got: scale(exactly(2n ** 53n + 1n), 1), want: exactly(2n ** 53n) },
  { name: "union",               got: union(range(1, 2), range(5, 9)),   want: range(1, 9) },
  { name: "union from nothing",  got: union(EMPTY, range(5, 9)),         want: range(5, 9) },
  { name: "sum of none",         got: sum([]),                           want: exactly(0) },
  { name: "bounds are clamped",  got: range(-1, 2n ** 70n),              want: UNKNOWN },
])("$name", ({ got, want }) => expect(got).toEqual(want));

test("wrap is uint64 arithmetic", () => {
  expect(wrap(-1n)).toBe(MAX);
  expect(wrap(MAX * 2n + 2n)).toBe(0n);
});

describe("algebra", () => {
  test("every operation returns a range within uint64", () => {
    fc.assert(
      fc.property(ranges, ranges, factor, (a, b, f) => {
        for (const result of [add(a, b), multiply(a, b), scale(a, f), union(a, b)]) expect(valid(result)).toBe(true);
      }),
    );
  });

  test("sums and products are exact until they saturate, and commute", () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        expect(add(a, b)).toEqual({ min: unlimited(a.min + b.min), max: unlimited(a.max + b.max) });
        expect(multiply(a, b)).toEqual({ min: unlimited(a.min * b.min), max: unlimited(a.max * b.max) });
        expect(add(a, b)).toEqual(add(b, a));
        expect(multiply(a, b)).toEqual(multiply(b, a));
        expect(union(a, b)).toEqual(union(b, a));
      }),
    );
  });

  test("operations are monotone: a wider operand never gives a narrower result", () => {
    fc.assert(
      fc.property(ranges, ranges, ranges, factor, (a, b, c, f) => {
        const wider = union(a, b);
        expect(within(add(a, c), add(wider, c))).toBe(true);
        expect(within(multiply(a, c), multiply(wider, c))).toBe(true);
        expect(within(scale(a, f), scale(wider, f))).toBe(true);
        expect(within(a, wider) && within(b, wider)).toBe(true);
      }),
    );
  });
});
