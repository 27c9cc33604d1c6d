// ext.Math: greatest and least, rounding, signs, bits, square root. Upstream: cel-go ext/math.go; no costs of its own.

import { boxDouble } from "@celadon/base";
import { fixed } from "../cost/formulas.ts";
import { boxUint } from "../value/box.ts";
import { BOOL, DOUBLE, DYN, INT, type Int, listOf, type Type, UINT } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { boxedResult, fn, type Library, type Overload } from "./library.ts";
import {
  absInt,
  and,
  extreme,
  extremeBare,
  extremeOf,
  notInt,
  notUint,
  or,
  round,
  shiftLeftInt,
  shiftLeftUint,
  shiftRightInt,
  shiftRightUint,
  signDouble,
  signInt,
  xor,
} from "./number/math-functions.ts";
import { mathMacros } from "./number/math-macros.ts";

const ONE = fixed(1);

// biome-ignore format: one overload per line
const ROUNDING_AND_BITS: readonly Overload[] = [
  // name                  overload id                    arguments     result  cost  implementation
  fn("math.ceil",          "math_ceil_double",            [DOUBLE],     DOUBLE, ONE,  Math.ceil),
  fn("math.floor",         "math_floor_double",           [DOUBLE],     DOUBLE, ONE,  Math.floor),
  fn("math.round",         "math_round_double",           [DOUBLE],     DOUBLE, ONE,  round),
  fn("math.trunc",         "math_trunc_double",           [DOUBLE],     DOUBLE, ONE,  Math.trunc),
  fn("math.isInf",         "math_isInf_double",           [DOUBLE],     BOOL,   ONE,  (x) => Math.abs(x) === Number.POSITIVE_INFINITY),
  fn("math.isNaN",         "math_isNaN_double",           [DOUBLE],     BOOL,   ONE,  Number.isNaN),
  fn("math.isFinite",      "math_isFinite_double",        [DOUBLE],     BOOL,   ONE,  Number.isFinite),
  fn("math.abs",           "math_abs_double",             [DOUBLE],     DOUBLE, ONE,  Math.abs),
  fn("math.abs",           "math_abs_int",                [INT],        INT,    ONE,  absInt),
  fn("math.abs",           "math_abs_uint",               [UINT],       UINT,   ONE,  (u) => u),
  fn("math.sign",          "math_sign_double",            [DOUBLE],     DOUBLE, ONE,  signDouble),
  fn("math.sign",          "math_sign_int",               [INT],        INT,    ONE,  signInt),
  fn("math.sign",          "math_sign_uint",              [UINT],       UINT,   ONE,  signInt),
  fn("math.bitAnd",        "math_bitAnd_int_int",         [INT, INT],   INT,    ONE,  and),
  fn("math.bitAnd",        "math_bitAnd_uint_uint",       [UINT, UINT], UINT,   ONE,  and),
  fn("math.bitOr",         "math_bitOr_int_int",          [INT, INT],   INT,    ONE,  or),
  fn("math.bitOr",         "math_bitOr_uint_uint",        [UINT, UINT], UINT,   ONE,  or),
  fn("math.bitXor",        "math_bitXor_int_int",         [INT, INT],   INT,    ONE,  xor),
  fn("math.bitXor",        "math_bitXor_uint_uint",       [UINT, UINT], UINT,   ONE,  xor),
  fn("math.bitNot",        "math_bitNot_int_int",         [INT],        INT,    ONE,  notInt),
  fn("math.bitNot",        "math_bitNot_uint_uint",       [UINT],       UINT,   ONE,  notUint),
  fn("math.bitShiftLeft",  "math_bitShiftLeft_int_int",   [INT, INT],   INT,    ONE,  shiftLeftInt),
  fn("math.bitShiftLeft",  "math_bitShiftLeft_uint_int",  [UINT, INT],  UINT,   ONE,  shiftLeftUint),
  fn("math.bitShiftRight", "math_bitShiftRight_int_int",  [INT, INT],   INT,    ONE,  shiftRightInt),
  fn("math.bitShiftRight", "math_bitShiftRight_uint_int", [UINT, INT],  UINT,   ONE,  shiftRightUint),
];

// biome-ignore format: one overload per line
const ROOTS: readonly Overload[] = [
  fn("math.sqrt", "math_sqrt_double", [DOUBLE], DOUBLE, ONE, Math.sqrt),
  fn("math.sqrt", "math_sqrt_int",    [INT],    DOUBLE, ONE, (i) => Math.sqrt(Number(i))),
  fn("math.sqrt", "math_sqrt_uint",   [UINT],   DOUBLE, ONE, (u) => Math.sqrt(Number(u))),
];

/** The fifteen overloads of `math.@max` or `math.@min`: one number, every pair of number types, lists of each. */
function extremes(name: string, wanted: 1 | -1): readonly Overload[] {
  const id = name.replace(".", "_");
  const list = (values: readonly Value[]): Value => extremeOf(name, wanted, values);
  const rows: Overload[] = [DOUBLE, INT, UINT].map((type) =>
    fn(name, `${id}_${type.name}`, [type], type, ONE, (n) => n),
  );
  for (const [a, b] of PAIRS) {
    const [left, right] = [boxer(a), boxer(b)];
    const mixed = (x: Int, y: Int): Value => extreme(name, wanted, left(x), right(y));
    const call = a === b ? (x: Int, y: Int): Value => extremeBare(name, wanted, x, y) : mixed;
    rows.push({ ...fn(name, `${id}_${a.name}_${b.name}`, [a, b], a === b ? a : DYN, ONE), call });
  }
  for (const type of [DOUBLE, INT, UINT]) {
    rows.push(boxedResult({ ...fn(name, `${id}_list_${type.name}`, [listOf(type as Type)], type, ONE), call: list }));
  }
  return rows;
}

const PAIRS: readonly (readonly [Type, Type])[] = [
  [DOUBLE, DOUBLE],
  [INT, INT],
  [UINT, UINT],
  [INT, UINT],
  [INT, DOUBLE],
  [DOUBLE, INT],
  [DOUBLE, UINT],
  [UINT, INT],
  [UINT, DOUBLE],
];

function boxer(type: Type): (bare: Int) => Value {
  if (type === DOUBLE) return (n) => boxDouble(n as number);
  return type === UINT ? boxUint : (n) => n;
}

/** Version 1 adds rounding, signs and bits, version 2 the square root. */
export function mathLibrary(version = 2): Library {
  const overloads = [...extremes("math.@min", -1), ...extremes("math.@max", 1)];
  if (version >= 1) overloads.push(...ROUNDING_AND_BITS);
  if (version >= 2) overloads.push(...ROOTS);
  return { name: "cel.lib.ext.math", version, overloads, macros: mathMacros };
}
