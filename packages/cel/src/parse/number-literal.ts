// Values of number literals in boxed form (see value/value.ts). Undefined when a number does not fit its type.

import type { Int } from "../value/type.ts";
import { Double, Uint } from "../value/value.ts";

const MAX_INT = 2n ** 63n - 1n;
const MIN_INT = -(2n ** 63n);
const MAX_UINT = 2n ** 64n - 1n;

/** `12`, `-12`, `0xff`; the sign without spaces behind it. */
export function intLiteral(digits: string, negative: boolean): Int | undefined {
  // thirteen characters of either base are certainly a safe integer
  if (digits.length <= 13) {
    const value = digits.charCodeAt(1) === 120 ? Number.parseInt(digits.slice(2), 16) : Number(digits);
    return negative && value !== 0 ? -value : value;
  }
  const magnitude = BigInt(digits);
  const value = negative ? -magnitude : magnitude;
  return value < MIN_INT || value > MAX_INT ? undefined : narrow(value);
}

/** `12u`, `0xffU`. */
export function uintLiteral(text: string): Uint | undefined {
  const value = BigInt(text.slice(0, -1));
  return value > MAX_UINT ? undefined : new Uint(narrow(value));
}

/** `1.5`, `.5e-3`. */
export function doubleLiteral(text: string, negative: boolean): number | Double | undefined {
  const magnitude = Number(text);
  if (magnitude === Number.POSITIVE_INFINITY) return undefined;
  const value = negative ? -magnitude : magnitude;
  return Number.isSafeInteger(value) ? new Double(value) : value;
}

function narrow(value: bigint): Int {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}
