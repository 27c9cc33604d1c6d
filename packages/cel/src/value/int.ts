// 64-bit integer arithmetic on numbers while results are safe integers, on bigints beyond, with errors exactly at the
// limits of int64 and uint64. Results are canonical: a number if and only if it is a safe integer, and never -0.

import { CelError } from "./error.ts";
import type { Int } from "./type.ts";

/** The largest int. */
export const MAX_INT: bigint = 9223372036854775807n;
/** The smallest int. */
export const MIN_INT: bigint = -9223372036854775808n;
export const MAX_UINT: bigint = 18446744073709551615n;

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const MIN_SAFE = Number.MIN_SAFE_INTEGER;
const MAX_SAFE_BIG = BigInt(MAX_SAFE);
const MIN_SAFE_BIG = BigInt(MIN_SAFE);

/** The canonical form; the caller guarantees the range. */
export function toInt(big: bigint): Int {
  return isSmallBigint(big) ? Number(big) : big;
}

/** True for a bigint that is not canonical: hosts may pass small ints as bigints. */
export function isSmallBigint(big: bigint): boolean {
  return big <= MAX_SAFE_BIG && big >= MIN_SAFE_BIG;
}

export function inIntRange(big: bigint): boolean {
  return big >= MIN_INT && big <= MAX_INT;
}
export function inUintRange(big: bigint): boolean {
  return big >= 0n && big <= MAX_UINT;
}

export const intOverflow = (): CelError => new CelError("overflow", "integer overflow");
export const uintOverflow = (): CelError => new CelError("overflow", "unsigned integer overflow");
const divisionByZero = (): CelError => new CelError("division_by_zero", "division by zero");
const modulusByZero = (): CelError => new CelError("division_by_zero", "modulus by zero");

const isSafe = (n: number): boolean => n <= MAX_SAFE && n >= MIN_SAFE;
const checkInt = (big: bigint): Int | CelError => (inIntRange(big) ? toInt(big) : intOverflow());
const checkUint = (big: bigint): Int | CelError => (inUintRange(big) ? toInt(big) : uintOverflow());

// A sum or product of two safe integers that rounds to a safe integer is exact, so the float result can be trusted
// whenever it lands in the safe range. `+ 0` turns -0 into 0.

export function addInt(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (isSafe(sum)) return sum;
  }
  return checkInt(BigInt(a) + BigInt(b));
}

export function subInt(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (isSafe(difference)) return difference;
  }
  return checkInt(BigInt(a) - BigInt(b));
}

export function mulInt(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (isSafe(product)) return product + 0;
  }
  return checkInt(BigInt(a) * BigInt(b));
}

export function divInt(a: Int, b: Int): Int | CelError {
  if (b === 0 || b === 0n) return divisionByZero();
  if (typeof a === "number" && typeof b === "number") return Math.trunc(a / b) + 0;
  return checkInt(BigInt(a) / BigInt(b));
}

export function modInt(a: Int, b: Int): Int | CelError {
  if (b === 0 || b === 0n) return modulusByZero();
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  // The remainder would be 0, but the reference refuses the division it belongs to.
  if (a === MIN_INT && b === -1) return intOverflow();
  return toInt(BigInt(a) % BigInt(b));
}

export function negInt(a: Int): Int | CelError {
  return typeof a === "number" ? 0 - a : checkInt(-a);
}

export function addUint(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (isSafe(sum)) return sum;
  }
  return checkUint(BigInt(a) + BigInt(b));
}

export function subUint(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    return difference >= 0 ? difference : uintOverflow();
  }
  return checkUint(BigInt(a) - BigInt(b));
}

export function mulUint(a: Int, b: Int): Int | CelError {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (isSafe(product)) return product;
  }
  return checkUint(BigInt(a) * BigInt(b));
}

export function divUint(a: Int, b: Int): Int | CelError {
  if (b === 0 || b === 0n) return divisionByZero();
  if (typeof a === "number" && typeof b === "number") return Math.floor(a / b);
  return toInt(BigInt(a) / BigInt(b));
}

export function modUint(a: Int, b: Int): Int | CelError {
  if (b === 0 || b === 0n) return modulusByZero();
  if (typeof a === "number" && typeof b === "number") return a % b;
  return toInt(BigInt(a) % BigInt(b));
}
