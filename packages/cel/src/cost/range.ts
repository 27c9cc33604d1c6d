// Ranges of sizes and costs. Bounds are uint64s that saturate at MAX: an estimate that ran out of numbers stays out of them.
// Scaling goes through a double on purpose, as cel-go's does, so that large bounds round alike.

import type { Range } from "./formula.ts";

/** The largest bound: 2^64 − 1. */
export const MAX: bigint = 2n ** 64n - 1n;
const TWO_TO_64 = 2 ** 64;

/** An unknown size or cost: [0..MAX]. */
export const UNKNOWN: Range = { min: 0n, max: MAX };
/** The range of exactly nothing. */
export const ZERO: Range = { min: 0n, max: 0n };
/** The range of exactly one. */
export const ONE: Range = { min: 1n, max: 1n };
/** The neutral element of a union: every range that joins replaces it. */
export const EMPTY: Range = { min: MAX, max: 0n };

/** A range from the least to the most. */
export function range(min: number | bigint, max: number | bigint): Range {
  return { min: clamp(BigInt(min)), max: clamp(BigInt(max)) };
}
/** The range that holds one number only. */
export function exactly(n: number | bigint): Range {
  const bound = clamp(BigInt(n));
  return { min: bound, max: bound };
}
/** The sum of two ranges, saturated. */
export function add(a: Range, b: Range): Range {
  return { min: clamp(a.min + b.min), max: clamp(a.max + b.max) };
}
/** The product of two ranges, saturated. */
export function multiply(a: Range, b: Range): Range {
  return { min: clamp(a.min * b.min), max: clamp(a.max * b.max) };
}
/** ⌈size · factor⌉ of either bound. */
export function scale(a: Range, factor: number): Range {
  return { min: scaleBound(a.min, factor), max: scaleBound(a.max, factor) };
}
/** The smallest range that holds both. */
export function union(a: Range, b: Range): Range {
  return { min: lesser(a.min, b.min), max: greater(a.max, b.max) };
}
/** The sum of many ranges. */
export function sum(ranges: readonly Range[]): Range {
  return ranges.reduce(add, ZERO);
}

/** A uint64 as unsigned arithmetic leaves it: wrapped around, for the few places where upstream does not saturate. */
export const wrap = (n: bigint): bigint => BigInt.asUintN(64, n);

export const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);
export const greater = (a: bigint, b: bigint): bigint => (a < b ? b : a);

const clamp = (n: bigint): bigint => (n > MAX ? MAX : n < 0n ? 0n : n);

function scaleBound(bound: bigint, factor: number): bigint {
  const scaled = Math.ceil(Number(bound) * factor);
  return scaled >= TWO_TO_64 ? MAX : BigInt(scaled);
}
