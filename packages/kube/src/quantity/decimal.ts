// Exact decimals: unscaled × 10^exponent. Exponents come from user input (`1e2000000000` is a quantity), so nothing here may raise ten to a
// power that only the input bounds: comparison counts digits first, and the one operation that must write zeros out stops at MAX_GAP of
// them.

export interface Decimal {
  readonly unscaled: bigint;
  readonly exponent: number;
}

/** More zeros than this are never written out. Upstream would try, and not come back. */
export const MAX_GAP = 10_000;
/** Up to here numbers are compared by writing zeros; beyond, by how many digits they have, unless that is nearly the same. */
const SMALL_GAP = 100;
/** `mostDigits` of two numbers tells which has more if they differ by more than this. */
const UNSURE = 3;

/** While numbers of many digits are compared, `pause` is called now and then; it may throw. */
export function compareDecimals(a: Decimal, b: Decimal, pause: () => void = () => {}): -1 | 0 | 1 {
  const signs = sign(a.unscaled) - sign(b.unscaled);
  if (signs !== 0) return signs < 0 ? -1 : 1;
  if (a.unscaled === 0n) return 0;
  if (isLong(a.unscaled) || isLong(b.unscaled)) pause();
  if (a.exponent === b.exponent) return order(a.unscaled, b.unscaled);
  const gap = a.exponent - b.exponent;
  if (Math.abs(gap) > SMALL_GAP) {
    const above = mostDigits(a.unscaled) - mostDigits(b.unscaled) + gap;
    if (Math.abs(above) > UNSURE) return above > 0 === a.unscaled > 0n ? 1 : -1;
  }
  // The gap is no wider than the longer number, so writing zeros makes nothing longer than that.
  const power = powerOfTen(Math.abs(gap), pause);
  pause();
  return gap > 0 ? order(a.unscaled * power, b.unscaled) : order(a.unscaled, b.unscaled * power);
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
export function isWhole(value: Decimal, pause: () => void): boolean {
  if (value.exponent >= 0 || value.unscaled === 0n) return true;
  return trailingZeros(digitsOf(value.unscaled, pause)) >= -value.exponent;
}

/** Digits without trailing zeros, and the exponent that goes with them. */
export function withoutTrailingZeros(
  value: Decimal,
  pause: () => void,
): { readonly digits: string; readonly exponent: number } {
  const text = digitsOf(value.unscaled, pause);
  const zeros = trailingZeros(text);
  return { digits: zeros === 0 ? text : text.slice(0, -zeros), exponent: value.exponent + zeros };
}

/** Digits that are read or written at once. */
const PIECE = 8192;

/** The number of many digits, in steps with a pause before each. */
export function bigintOf(digits: string, pause: () => void): bigint {
  if (digits.length <= PIECE) return BigInt(digits);
  const power = powersOfPieces(pause);
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
  return read(0, digits.length, Math.ceil(Math.log2(digits.length / PIECE)));
}

/** The digits of a number, after a minus if it is negative, in steps with a pause before each. */
export function digitsOf(n: bigint, pause: () => void): string {
  const most = mostDigits(n);
  if (most <= PIECE) return n.toString();
  const power = powersOfPieces(pause);
  /** Writes a number below 10 to PIECE · 2^level, with zeros before it. */
  const write = (part: bigint, level: number): string => {
    pause();
    if (level === 0) return part.toString().padStart(PIECE, "0");
    const [above, below] = divided(part, power(level - 1), Math.ceil(2 ** (level - 1) / PIECES_AT_ONCE), pause);
    return write(above, level - 1) + write(below, level - 1);
  };
  const digits = write(n < 0n ? -n : n, Math.ceil(Math.log2(most / PIECE))).replace(/^0+/, "");
  return n < 0n ? `-${digits}` : digits;
}

/** Quotients are computed so many pieces at a time. */
const PIECES_AT_ONCE = 16;
const BITS_AT_ONCE = BigInt(Math.ceil(PIECE * PIECES_AT_ONCE * Math.log2(10)));

/** Long division, in that many steps with a pause before each: quotient and rest. */
function divided(n: bigint, divisor: bigint, steps: number, pause: () => void): [quotient: bigint, rest: bigint] {
  let quotient = 0n;
  let rest = n >> (BITS_AT_ONCE * BigInt(steps));
  for (let left = steps - 1; left >= 0; left--) {
    pause();
    rest = (rest << BITS_AT_ONCE) | BigInt.asUintN(Number(BITS_AT_ONCE), n >> (BITS_AT_ONCE * BigInt(left)));
    const next = rest / divisor;
    pause();
    rest -= next * divisor;
    quotient = (quotient << BITS_AT_ONCE) | next;
  }
  return [quotient, rest];
}

/** 10 to PIECE · 2^level, each made once, with a pause before. */
function powersOfPieces(pause: () => void): (level: number) => bigint {
  const powers = [10n ** BigInt(PIECE)];
  return (level) => {
    for (let last = powers.at(-1) as bigint; powers.length <= level; last = powers.at(-1) as bigint) {
      pause();
      powers.push(last * last);
    }
    return powers[level] as bigint;
  };
}

/** 10^n, in steps with a pause before each. */
function powerOfTen(n: number, pause: () => void): bigint {
  if (n <= PIECE) return 10n ** BigInt(n);
  const half = powerOfTen(n >> 1, pause);
  pause();
  const even = half * half;
  return n % 2 === 0 ? even : even * 10n;
}

/** Whether a number has more than 64 bits, without counting them. */
const isLong = (n: bigint): boolean => BigInt.asIntN(64, n) !== n;

/** No number has more digits than this; it may have one or two less. Counted in bits: writing decimal digits takes long. */
export function mostDigits(n: bigint): number {
  const bits = (n < 0n ? -n : n).toString(16).length * 4;
  return Math.ceil(bits * Math.LOG10E * Math.LN2) + 1;
}

export function sign(n: bigint): -1 | 0 | 1 {
  return n === 0n ? 0 : n < 0n ? -1 : 1;
}

export function trailingZeros(text: string): number {
  let zeros = 0;
  while (zeros < text.length - 1 && text.charCodeAt(text.length - 1 - zeros) === 48) zeros++;
  return zeros;
}

function order(a: bigint, b: bigint): -1 | 0 | 1 {
  return a === b ? 0 : a < b ? -1 : 1;
}
