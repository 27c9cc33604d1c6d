// The computations of the math library: extremes across number types, rounding, signs, bits of 64-bit integers.

import { isDouble, isInt, isUint } from "../../value/box.ts";
import { type List, listGet, listSize } from "../../value/collection/list.ts";
import { compare } from "../../value/compare.ts";
import { CelError, celError, isError } from "../../value/error.ts";
import { intOverflow, MIN_INT, toInt } from "../../value/int.ts";
import { work } from "../../value/size/work.ts";
import type { Int } from "../../value/type.ts";
import type { Value } from "../../value/value.ts";

/** `math.@max` (wanted 1) or `math.@min` (wanted −1) of two boxed numbers; the first when they are equal. */
export function extreme(name: string, wanted: 1 | -1, a: Value, b: Value): Value | CelError {
  const order = compare(a, b);
  if (isError(order)) return new CelError(order.code, `${order.message}: ${name}`);
  return order === -wanted ? b : a;
}

/** The same of two bare numbers of one type. */
export function extremeBare(name: string, wanted: 1 | -1, a: Int, b: Int): Int | CelError {
  if (Number.isNaN(a) || Number.isNaN(b)) return extreme(name, wanted, Number.NaN, b) as CelError;
  return (wanted === 1 ? a < b : a > b) ? b : a;
}

/** The same over a list. Mixed numbers are compared by value, and one that cannot be compared spoils the answer. */
export function extremeOf(name: string, wanted: 1 | -1, list: List): Value | CelError {
  const size = listSize(list);
  if (size === 0) return celError("invalid_argument", `${name}(list) argument must not be empty`);
  work(size);
  let best = listGet(list, 0);
  for (let i = 1; i < size && !isError(best); i++) best = extreme(name, wanted, best, listGet(list, i));
  if (isInt(best) || isUint(best) || isDouble(best)) return best;
  return celError("no_such_overload", `no such overload: ${name}`);
}

/** Half away from zero, unlike Math.round. */
export function round(x: number): number {
  return x < 0 ? -Math.round(-x) : Math.round(x);
}

export function absInt(i: Int): Int | CelError {
  if (i === MIN_INT) return intOverflow();
  return i < 0 ? (typeof i === "number" ? -i : toInt(-i)) : i;
}

export function signDouble(x: number): number {
  return Number.isNaN(x) ? x : x > 0 ? 1 : x < 0 ? -1 : 0;
}
export const signInt = (i: Int): Int => (i > 0 ? 1 : i < 0 ? -1 : 0);

const int64 = (n: bigint): Int => toInt(BigInt.asIntN(64, n));
const uint64 = (n: bigint): Int => toInt(BigInt.asUintN(64, n));

// Two's complement of any width agrees with 64 bits for these three: 32 bits while both fit, bigints otherwise.
export const and = (a: Int, b: Int): Int => (fit32(a, b) ? Number(a) & Number(b) : toInt(BigInt(a) & BigInt(b)));
export const or = (a: Int, b: Int): Int => (fit32(a, b) ? Number(a) | Number(b) : toInt(BigInt(a) | BigInt(b)));
export const xor = (a: Int, b: Int): Int => (fit32(a, b) ? Number(a) ^ Number(b) : toInt(BigInt(a) ^ BigInt(b)));
const fit32 = (a: Int, b: Int): boolean =>
  typeof a === "number" && typeof b === "number" && (a | 0) === a && (b | 0) === b;

export const notInt = (a: Int): Int => toInt(~BigInt(a));
export const notUint = (a: Int): Int => uint64(~BigInt(a));

export const shiftLeftInt = (a: Int, bits: Int): Int | CelError =>
  shift("math.bitShiftLeft", bits, (by) => int64(BigInt(a) << by));
export const shiftLeftUint = (a: Int, bits: Int): Int | CelError =>
  shift("math.bitShiftLeft", bits, (by) => uint64(BigInt(a) << by));
/** Fills with zeros, also for negative numbers. */
export const shiftRightInt = (a: Int, bits: Int): Int | CelError =>
  shift("math.bitShiftRight", bits, (by) => int64(BigInt.asUintN(64, BigInt(a)) >> by));
export const shiftRightUint = (a: Int, bits: Int): Int | CelError =>
  shift("math.bitShiftRight", bits, (by) => uint64(BigInt(a) >> by));

function shift(name: string, bits: Int, by: (bits: bigint) => Int): Int | CelError {
  if (bits < 0) return celError("invalid_argument", `${name}() negative offset: ${bits}`);
  return bits >= 64 ? 0 : by(BigInt(bits));
}
