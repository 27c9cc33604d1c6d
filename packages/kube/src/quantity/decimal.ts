// Exact decimals: unscaled × 10^exponent. Exponents come from user input (`1e2000000000` is a quantity), so nothing here
// may raise ten to a power that only the input bounds: comparison looks at digits first, and the one operation that must
// write zeros out stops at MAX_GAP of them.

export interface Decimal {
  readonly unscaled: bigint;
  readonly exponent: number;
}

/** More zeros than this are never written out. Upstream would try, and not come back. */
export const MAX_GAP = 10_000;
/** Up to here numbers are compared by writing zeros; beyond, by their digits. */
const SMALL_GAP = 100;

export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const signs = sign(a.unscaled) - sign(b.unscaled);
  if (signs !== 0) return signs < 0 ? -1 : 1;
  if (a.unscaled === 0n) return 0;
  if (a.exponent === b.exponent) return order(a.unscaled, b.unscaled);
  const gap = a.exponent - b.exponent;
  if (Math.abs(gap) <= SMALL_GAP) {
    return gap > 0
      ? order(a.unscaled * 10n ** BigInt(gap), b.unscaled)
      : order(a.unscaled, b.unscaled * 10n ** BigInt(-gap));
  }
  const x = digits(a.unscaled);
  const y = digits(b.unscaled);
  const sizes = x.length + a.exponent - (y.length + b.exponent);
  const bigger = sizes !== 0 ? (sizes < 0 ? -1 : 1) : compareDigits(x, y);
  return a.unscaled < 0n ? (-bigger as -1 | 0 | 1) : bigger;
}

/** The sum, at the smaller of the two exponents. With operands more than MAX_GAP digits apart, the larger one. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  const gap = Math.abs(a.exponent - b.exponent);
  if (gap > MAX_GAP) {
    if (a.unscaled === 0n) return b;
    if (b.unscaled === 0n) return a;
    return a.exponent > b.exponent ? a : b;
  }
  const power = 10n ** BigInt(gap);
  const x = a.exponent > exponent ? a.unscaled * power : a.unscaled;
  const y = b.exponent > exponent ? b.unscaled * power : b.unscaled;
  return { unscaled: x + y, exponent };
}

/** Rounds away from zero to the exponent, or writes zeros out down to it. */
export function roundAway(value: Decimal, exponent: number): Decimal {
  const shift = exponent - value.exponent;
  if (shift === 0) return value;
  if (shift < 0) {
    return -shift > MAX_GAP ? value : { unscaled: value.unscaled * 10n ** BigInt(-shift), exponent };
  }
  if (value.unscaled === 0n) return { unscaled: 0n, exponent };
  const step = value.unscaled < 0n ? -1n : 1n;
  if (shift > mostDigits(value.unscaled)) return { unscaled: step, exponent };
  const divisor = 10n ** BigInt(shift);
  const quotient = value.unscaled / divisor;
  return { unscaled: quotient * divisor === value.unscaled ? quotient : quotient + step, exponent };
}

/** Whether the value is a whole number. */
export function isWhole(value: Decimal): boolean {
  if (value.exponent >= 0 || value.unscaled === 0n) return true;
  return trailingZeros(digits(value.unscaled)) >= -value.exponent;
}

/** Digits without trailing zeros, and the exponent that goes with them. */
export function withoutTrailingZeros(value: Decimal): { readonly digits: string; readonly exponent: number } {
  const text = value.unscaled.toString();
  const zeros = trailingZeros(text);
  return { digits: zeros === 0 ? text : text.slice(0, -zeros), exponent: value.exponent + zeros };
}

/** Digits that are read at once. */
const PIECE = 8192;

/** The number of many digits, in steps with a pause before each. */
export function bigintOf(digits: string, pause: () => void): bigint {
  if (digits.length <= PIECE) return BigInt(digits);
  const powers = [10n ** BigInt(PIECE)];
  const read = (from: number, to: number, level: number): bigint => {
    pause();
    const low = PIECE * 2 ** (level - 1);
    if (level === 0) return BigInt(digits.slice(from, to));
    if (to - from <= low) return read(from, to, level - 1);
    const above = read(from, to - low, level - 1);
    const below = read(to - low, to, level - 1);
    pause();
    return above * power(level - 1) + below;
  };
  /** 10 to PIECE · 2^level. */
  const power = (level: number): bigint => {
    for (let last = powers.at(-1) as bigint; powers.length <= level; last = powers.at(-1) as bigint) {
      pause();
      powers.push(last * last);
    }
    return powers[level] as bigint;
  };
  return read(0, digits.length, Math.ceil(Math.log2(digits.length / PIECE)));
}

/** No number has more digits than this; it may have one or two less. Counted in bits: writing decimal digits takes long. */
function mostDigits(n: bigint): number {
  const bits = (n < 0n ? -n : n).toString(16).length * 4;
  return Math.ceil(bits * Math.LOG10E * Math.LN2) + 1;
}

export function sign(n: bigint): -1 | 0 | 1 {
  return n === 0n ? 0 : n < 0n ? -1 : 1;
}

function digits(n: bigint): string {
  return (n < 0n ? -n : n).toString();
}

function trailingZeros(text: string): number {
  let zeros = 0;
  while (zeros < text.length - 1 && text.charCodeAt(text.length - 1 - zeros) === 48) zeros++;
  return zeros;
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}

// Both start with a digit other than zero and stand for numbers of the same size.
function compareDigits(a: string, b: string): -1 | 0 | 1 {
  const x = a.padEnd(b.length, "0");
  const y = b.padEnd(a.length, "0");
  return x === y ? 0 : x < y ? -1 : 1;
}
