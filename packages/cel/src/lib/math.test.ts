import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toInt } from "../value/int.ts";
import { Double, Uint } from "../value/value.ts";
import { call, rowOf } from "./library.testing.ts";
import { mathLibrary } from "./math.ts";

const library = mathLibrary();
const NAN = Number.NaN;
const MIN = -9223372036854775808n;
const MAX_UINT = 18446744073709551615n;

// biome-ignore format: one version per line
test.each([
  { version: 0, count: 30, last: "math_@max_list_uint" },
  { version: 1, count: 55, last: "math_bitShiftRight_uint_int" },
  { version: 2, count: 58, last: "math_sqrt_uint" },
])("version $version has $count overloads", ({ version, count, last }) => {
  const { overloads } = mathLibrary(version);
  expect(overloads).toHaveLength(count);
  expect(overloads.at(-1)?.id).toBe(last);
  expect(new Set(overloads.map((row) => row.id)).size).toBe(count);
});

test("every call costs 1", () => {
  for (const row of library.overloads) expect(row.cost.fixed).toBe(1);
});

// biome-ignore format: one case per line
const cases: [id: string, args: unknown[], want: unknown][] = [
  ["math_@max_int",               [-5],                                 -5],
  ["math_@max_double",            [5],                                  5],
  ["math_@max_int_int",           [-7, 5],                              5],
  ["math_@max_int_int",           [MIN, 1],                             1],
  ["math_@min_int_int",           [MIN, 1],                             MIN],
  ["math_@max_double_double",     [-3, 3],                              3],
  ["math_@min_double_double",     [1.5, -1.797693e308],                 -1.797693e308],
  ["math_@max_uint_uint",         [MAX_UINT, 1],                        MAX_UINT],
  ["math_@min_uint_uint",         [MAX_UINT, 1],                        1],
  // For two types the result is boxed; it is the first argument if both are equal.
  ["math_@max_int_uint",          [1, 1],                               1],
  ["math_@max_uint_int",          [1, 1],                               new Uint(1)],
  ["math_@max_double_int",        [1, 1],                               new Double(1)],
  ["math_@max_int_double",        [-1, 2],                              new Double(2)],
  ["math_@max_int_double",        [-1, 2.5],                            2.5],
  ["math_@min_int_double",        [-1, 2.5],                            -1],
  ["math_@max_uint_int",          [5, -7],                              new Uint(5)],
  ["math_@min_uint_int",          [5, -7],                              -7],
  ["math_@max_int_uint",          [-3, 3],                              new Uint(3)],
  ["math_@max_double_uint",       [3.5, MAX_UINT],                      new Uint(MAX_UINT)],
  ["math_@min_uint_double",       [3, 3],                               new Uint(3)],
  ["math_@max_double_double",     [NAN, 1],                             { error: "NaN values cannot be ordered: math.@max" }],
  ["math_@max_double_double",     [5, NAN],                             { error: "NaN values cannot be ordered: math.@max" }],
  ["math_@max_double_double",     [-0, 0],                              -0],
  ["math_@max_int_int",           [9007199254740993n, 3],               9007199254740993n],
  ["math_@min_int_double",        [1, NAN],                             { error: "NaN values cannot be ordered: math.@min" }],
  ["math_@max_list_int",          [[1, 3, 2]],                          3],
  ["math_@max_list_double",       [[1.5, new Double(2)]],               new Double(2)],
  ["math_@min_list_uint",         [[new Uint(4), new Uint(2)]],         new Uint(2)],
  ["math_@max_list_double",       [[5.4, 10, new Uint(3), new Double(-5)]], 10],
  ["math_@min_list_int",          [[5, new Uint(3), 3, new Double(3)]], new Uint(3)],
  ["math_@max_list_int",          [[]],                                 { error: "math.@max(list) argument must not be empty" }],
  ["math_@min_list_double",       [[]],                                 { error: "math.@min(list) argument must not be empty" }],
  ["math_@max_list_int",          [[1, "a"]],                           { error: "no such overload: math.@max" }],
  ["math_@min_list_double",       [[1.5, NAN]],                         { error: "no such overload: math.@min" }],
  ["math_@max_list_int",          [["a"]],                              { error: "no such overload: math.@max" }],
  ["math_ceil_double",            [-1.2],                               -1],
  ["math_floor_double",           [-1.2],                               -2],
  ["math_round_double",           [-1.5],                               -2],
  ["math_round_double",           [-1.4],                               -1],
  ["math_round_double",           [2.5],                                3],
  ["math_round_double",           [-0.4],                               -0],
  ["math_round_double",           [0.49999999999999994],                0],
  ["math_round_double",           [2251799813685249.5],                 2251799813685250],
  ["math_round_double",           [NAN],                                NAN],
  ["math_trunc_double",           [-1.9],                               -1],
  ["math_isInf_double",           [-1 / 0],                             true],
  ["math_isInf_double",           [NAN],                                false],
  ["math_isNaN_double",           [NAN],                                true],
  ["math_isFinite_double",        [1 / 0],                              false],
  ["math_isFinite_double",        [1.5],                                true],
  ["math_abs_double",             [-11.5],                              11.5],
  ["math_abs_int",                [-11],                                11],
  ["math_abs_int",                [0],                                  0],
  ["math_abs_int",                [-9223372036854775807n],              9223372036854775807n],
  ["math_abs_int",                [MIN],                                { error: "integer overflow" }],
  ["math_abs_uint",               [MAX_UINT],                           MAX_UINT],
  ["math_sign_double",            [-32],                                -1],
  ["math_sign_double",            [-0],                                 0],
  ["math_sign_double",            [NAN],                                NAN],
  ["math_sign_int",               [MIN],                                -1],
  ["math_sign_uint",              [MAX_UINT],                           1],
  ["math_bitAnd_int_int",         [1, -1],                              1],
  ["math_bitAnd_uint_uint",       [MAX_UINT, 6],                        6],
  ["math_bitOr_int_int",          [4, -2],                              -2],
  ["math_bitOr_uint_uint",        [1, 4],                               5],
  ["math_bitXor_int_int",         [4, -2],                              -6],
  ["math_bitXor_uint_uint",       [1, 3],                               2],
  ["math_bitNot_int_int",         [0],                                  -1],
  ["math_bitNot_uint_uint",       [1],                                  18446744073709551614n],
  ["math_bitShiftLeft_int_int",   [1, 2],                               4],
  ["math_bitShiftLeft_int_int",   [1, 63],                              MIN],
  ["math_bitShiftLeft_int_int",   [-1, 200],                            0],
  ["math_bitShiftLeft_int_int",   [1, -1],                              { error: "math.bitShiftLeft() negative offset: -1" }],
  ["math_bitShiftLeft_uint_int",  [1, 64],                              0],
  ["math_bitShiftLeft_uint_int",  [3, 63],                              9223372036854775808n],
  ["math_bitShiftRight_int_int",  [-1024, 3],                           2305843009213693824n],
  ["math_bitShiftRight_int_int",  [-1, 0],                              -1],
  ["math_bitShiftRight_int_int",  [-1024, 64],                          0],
  ["math_bitShiftRight_uint_int", [1024, 2],                            256],
  ["math_bitShiftRight_uint_int", [1, MIN],                             { error: `math.bitShiftRight() negative offset: ${MIN}` }],
  ["math_sqrt_double",            [985.25],                             31.388692231439016],
  ["math_sqrt_int",               [-15],                                NAN],
  ["math_sqrt_int",               [81],                                 9],
  ["math_sqrt_uint",              [MAX_UINT],                           4294967296],
];
test.each(cases)("%s %o", (id, args, want) => expect(call(library, id, ...args)).toEqual(want));

describe("bits", () => {
  const int64 = fc.oneof(fc.integer(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(toInt));
  const run = (id: string, ...args: unknown[]) => call(library, `math_${id}`, ...args);

  test("obey the laws of 64-bit two's complement", () => {
    fc.assert(
      fc.property(int64, int64, (a, b) => {
        expect(run("bitNot_int_int", run("bitNot_int_int", a))).toBe(a);
        expect(run("bitXor_int_int", run("bitXor_int_int", a, b), b)).toBe(a);
        const [or, and] = [run("bitOr_int_int", a, b), run("bitAnd_int_int", a, b)] as [bigint, bigint];
        expect(BigInt(or) + BigInt(and)).toBe(BigInt(a) + BigInt(b));
      }),
    );
  });

  test("shifts are multiplication and division without what falls off", () => {
    fc.assert(
      fc.property(int64, fc.nat(70), (a, by) => {
        const wide = BigInt.asUintN(64, BigInt(a));
        expect(BigInt(run("bitShiftLeft_int_int", a, by) as bigint)).toBe(BigInt.asIntN(64, wide * 2n ** BigInt(by)));
        expect(BigInt(run("bitShiftRight_int_int", a, by) as bigint)).toBe(BigInt.asIntN(64, wide / 2n ** BigInt(by)));
      }),
    );
  });
});

test("extremes of lists return boxed values", () => {
  expect(rowOf(library, "math_@max_list_double").boxedResult).toBe(true);
  expect(rowOf(library, "math_@max_double_double").boxedResult).toBeUndefined();
});
