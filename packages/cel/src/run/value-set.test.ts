// Membership by look-up equals membership by comparison, except for numbers beyond the safe integers: there a look-up finds numbers that
// convert to the member without loss, as in the reference, whose answers are recorded here.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { equal } from "../value/equal.ts";
import { Double, Duration, Optional, Uint, type Value } from "../value/value.ts";
import { valueSet } from "./value-set.ts";

const NUMBERS: readonly number[] = [0, 1, -1, 5, 7, 2 ** 53 - 1, -(2 ** 53) + 1];
const member: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>(...NUMBERS),
  fc.constantFrom(...NUMBERS.filter((n) => n >= 0)).map((n) => new Uint(n)),
  fc.constantFrom(...NUMBERS, -0).map((n) => new Double(n)),
  fc.constantFrom(0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300),
  fc.constantFrom("", "a", "1", "true", "😀"),
  fc.boolean(),
);
const anything: fc.Arbitrary<Value> = fc.oneof(
  member,
  fc.constantFrom<Value>(null, [1], { a: 1 }, new Uint8Array([1]), new Duration(1, 0), Optional.of(1)),
);

test("finds what equals a member, and nothing else", () => {
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), anything, (list, value) => {
      expect(valueSet(list)(value)).toBe(list.some((elem) => equal(value, elem) === true));
    }),
    { numRuns: 3000 },
  );
});

describe("wide numbers", () => {
  const WIDE: Readonly<Record<string, Value>> = {
    "2^53": 2n ** 53n,
    "2^53+1": 2n ** 53n + 1n,
    "2^53u": new Uint(2n ** 53n),
    "2^53+1u": new Uint(2n ** 53n + 1n),
    "2^53.": 2 ** 53,
    "2^53+2.": 2 ** 53 + 2,
    "2^63-1": 2n ** 63n - 1n,
    "2^63-1u": new Uint(2n ** 63n - 1n),
    "2^63u": new Uint(2n ** 63n),
    "2^63.": 2 ** 63,
    "2^64-1u": new Uint(2n ** 64n - 1n),
    "2^64.": 2 ** 64,
    "-2^63": -(2n ** 63n),
    "-2^63.": -(2 ** 63),
    "1e300": 1e300,
  };
  // biome-ignore format: one value per line, with the members that it is found by
  const found: readonly (readonly [string, string])[] = [
    ["2^53",    "2^53 2^53u 2^53."],
    ["2^53+1",  "2^53+1 2^53+1u"],
    ["2^53u",   "2^53 2^53u 2^53."],
    ["2^53+1u", "2^53+1 2^53+1u"],
    ["2^53.",   "2^53 2^53+1 2^53u 2^53+1u 2^53."],
    ["2^53+2.", "2^53+2."],
    ["2^63-1",  "2^63-1 2^63-1u"],
    ["2^63-1u", "2^63-1 2^63-1u"],
    ["2^63u",   "2^63u 2^63."],
    ["2^63.",   "2^63-1 2^63-1u 2^63u 2^63."],
    ["2^64-1u", "2^64-1u"],
    ["2^64.",   "2^64-1u 2^64."],
    ["-2^63",   "-2^63"],
    ["-2^63.",  "-2^63 -2^63."],
    ["1e300",   "1e300"],
  ];
  test.each(found)("%s", (name, want) => {
    const members = Object.keys(WIDE).filter((other) => valueSet([WIDE[other]])(WIDE[name]));
    expect(members.join(" ")).toBe(want);
  });
});
