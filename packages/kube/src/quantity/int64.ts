// Amounts as the int64 that Go's Quantity.Value and MilliValue answer. An amount that does not fit gives another answer, which depends on
// the form of the quantity: an int64 and a power of ten, or a big decimal.

import { roundAway } from "./decimal.ts";

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);

/** The largest power of ten in an int64. */
const MAX_POWER = 18;

/** Powers of ten that are multiplied with at once, so that the product wraps around; for others Go notices, and answers zero. */
const AT_ONCE: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

/** `value`·10^`power` of an int64; a fraction is rounded away from zero. */
export function smallInt64(value: bigint, power: number): bigint {
  if (power <= 0) return roundAway({ unscaled: value, exponent: power }, 0).unscaled;
  if (power > MAX_POWER) return 0n;
  const product = value * 10n ** BigInt(power);
  const wrapped = BigInt.asIntN(64, product);
  return wrapped === product || AT_ONCE.has(power) ? wrapped : 0n;
}

/** The same of a big decimal; a fraction is cut and one added. */
export function bigInt64(value: bigint, power: number): bigint {
  if (power >= 0) return BigInt.asIntN(64, value * (power > MAX_POWER ? MIN_INT64 : 10n ** BigInt(power)));
  const divisor = 10n ** BigInt(-power);
  // A number below the largest int64 is read as one first, however far below.
  const dividend = value < MAX_INT64 && -power <= MAX_POWER ? BigInt.asIntN(64, value) : value;
  return BigInt.asIntN(64, dividend / divisor + (dividend % divisor === 0n ? 0n : 1n));
}
