import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelError } from "./error.ts";
import * as int from "./int.ts";
import type { Int } from "./type.ts";

const MAX = int.MAX_INT;
const MIN = int.MIN_INT;
const SAFE = Number.MAX_SAFE_INTEGER;
const OVERFLOW = "integer overflow";
const UINT_OVERFLOW = "unsigned integer overflow";

const show = (result: Int | CelError): Int | string => (result instanceof CelError ? result.message : result);

// biome-ignore format: one case per line
const cases: readonly (readonly [op: (a: Int, b: Int) => Int | CelError, a: Int, b: Int, want: Int | string])[] = [
  [int.addInt, SAFE, 1, 9007199254740992n],
  [int.addInt, 9007199254740992n, -1, SAFE],
  [int.addInt, MAX, 0, MAX],
  [int.addInt, MAX, 1, OVERFLOW],
  [int.addInt, MIN, -1, OVERFLOW],
  [int.subInt, MIN, 1, OVERFLOW],
  [int.subInt, MIN, -1, -9223372036854775807n],
  [int.subInt, 0, MIN, OVERFLOW],
  [int.subInt, -1, MIN, MAX],
  [int.mulInt, 0, -5, 0],
  [int.mulInt, 3037000500, 3037000500, OVERFLOW],
  [int.mulInt, 3037000499, 3037000499, 9223372030926249001n],
  [int.mulInt, MIN, -1, OVERFLOW],
  [int.mulInt, 4611686018427387904n, 2, OVERFLOW],
  [int.mulInt, 4611686018427387904n, -2, MIN],
  [int.divInt, 7, -2, -3],
  [int.divInt, -1, 2, 0],
  [int.divInt, MIN, -1, OVERFLOW],
  [int.divInt, MIN, 2, -4611686018427387904n],
  [int.divInt, MAX, MAX, 1],
  [int.divInt, 1, 0, "division by zero"],
  [int.divInt, MAX, 0, "division by zero"],
  [int.modInt, -7, 3, -1],
  [int.modInt, -6, 3, 0],
  [int.modInt, MIN, -1, OVERFLOW],
  [int.modInt, MIN, 10, -8],
  [int.modInt, 1, 0, "modulus by zero"],
  [int.addUint, int.MAX_UINT, 0, int.MAX_UINT],
  [int.addUint, int.MAX_UINT, 1, UINT_OVERFLOW],
  [int.addUint, MAX, 1, 9223372036854775808n],
  [int.subUint, 0, 1, UINT_OVERFLOW],
  [int.subUint, int.MAX_UINT, int.MAX_UINT, 0],
  [int.subUint, 1, int.MAX_UINT, UINT_OVERFLOW],
  [int.mulUint, 4294967296, 4294967296, UINT_OVERFLOW],
  [int.mulUint, 4294967295, 4294967297, int.MAX_UINT],
  [int.divUint, int.MAX_UINT, 2, MAX],
  [int.divUint, 1, 0, "division by zero"],
  [int.modUint, int.MAX_UINT, 10, 5],
  [int.modUint, 1, 0, "modulus by zero"],
];

test.each(cases.map(([op, a, b, want]) => ({ op, a, b, want })))("$op.name($a, $b) is $want", ({ op, a, b, want }) => {
  expect(show(op(a, b))).toBe(want);
});

test("negation never makes -0", () => {
  expect(Object.is(int.negInt(0), 0)).toBe(true);
  expect(show(int.negInt(MIN))).toBe(OVERFLOW);
  expect(show(int.negInt(MAX))).toBe(-MAX);
});

describe("against bigint arithmetic", () => {
  /** Numbers around every limit, and anything. */
  const near = (...points: bigint[]) => fc.tuple(fc.constantFrom(...points), fc.bigInt(-3n, 3n)).map(([p, d]) => p + d);
  const ints = fc
    .oneof(
      fc.bigInt(MIN, MAX),
      near(0n, BigInt(SAFE), -BigInt(SAFE), 3037000499n, 1n << 31n, MAX - 3n, MIN + 3n),
      fc.bigInt(-1000n, 1000n),
    )
    .map(int.toInt);
  const uints = fc
    .oneof(fc.bigInt(0n, int.MAX_UINT), near(BigInt(SAFE), 1n << 32n, int.MAX_UINT - 3n, 3n), fc.bigInt(0n, 1000n))
    .map(int.toInt);

  const reference =
    (exact: (a: bigint, b: bigint) => bigint, inRange: (n: bigint) => boolean, overflow: string) =>
    (a: Int, b: Int): Int | string => {
      const result = exact(BigInt(a), BigInt(b));
      return inRange(result) ? int.toInt(result) : overflow;
    };

  // biome-ignore format: one operation per line
  const operations = [
    { op: int.addInt,  of: ints,  want: reference((a, b) => a + b, int.inIntRange, OVERFLOW) },
    { op: int.subInt,  of: ints,  want: reference((a, b) => a - b, int.inIntRange, OVERFLOW) },
    { op: int.mulInt,  of: ints,  want: reference((a, b) => a * b, int.inIntRange, OVERFLOW) },
    { op: int.divInt,  of: ints,  want: reference((a, b) => a / b, int.inIntRange, OVERFLOW), divides: true },
    { op: int.addUint, of: uints, want: reference((a, b) => a + b, int.inUintRange, UINT_OVERFLOW) },
    { op: int.subUint, of: uints, want: reference((a, b) => a - b, int.inUintRange, UINT_OVERFLOW) },
    { op: int.mulUint, of: uints, want: reference((a, b) => a * b, int.inUintRange, UINT_OVERFLOW) },
    { op: int.divUint, of: uints, want: reference((a, b) => a / b, int.inUintRange, UINT_OVERFLOW), divides: true },
    { op: int.modUint, of: uints, want: reference((a, b) => a % b, int.inUintRange, UINT_OVERFLOW), divides: true },
    { op: int.modInt,  of: ints,  want: reference((a, b) => a % b, int.inIntRange, OVERFLOW), divides: true },
  ];

  test.each(operations)("$op.name", ({ op, of, want, divides }) => {
    fc.assert(
      fc.property(of, of, (a, b) => {
        fc.pre(!(divides && BigInt(b) === 0n) && !(op === int.modInt && a === MIN && b === -1));
        expect(show(op(a, b))).toBe(want(a, b));
      }),
      { numRuns: 2000 },
    );
  });
});
