// Quantities, as apimachinery's resource.Quantity computes them. Upstream keeps a value either as a small amount (an int64 and a power of
// ten) or as a big decimal, and the difference shows. Only small amounts can be integers, the float approximation multiplies the kept
// amount, and a canonical text is remembered. So both forms are kept apart here too. Values are immutable. Upstream's are not: comparing or
// adding may turn a shared operand into a big decimal or change it in place, which is not repeated.

import { BoundedMap } from "@celadon/base";
import { Invalid } from "../invalid.ts";
import {
  addDecimals,
  bigintOf,
  compareDecimals,
  type Decimal,
  digitsOf,
  isWhole,
  mostDigits,
  roundAway,
  sign,
  trailingZeros,
  withoutTrailingZeros,
} from "./decimal.ts";
import { bigInt64, smallInt64 } from "./int64.ts";
import { binarySuffix, decimalSuffix, type QuantityFormat, readSuffix } from "./suffix.ts";

export const QUANTITY_PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
const FORMAT_WRONG = `quantities must match the regular expression '${QUANTITY_PATTERN}'`;
const NUMERIC_WRONG = "unable to parse numeric part of quantity";
const SUFFIX_WRONG = "unable to parse quantity's suffix";

const NANO = -9;
const MAX_INT64 = 9223372036854775807n;
const MIN_INT64 = -9223372036854775808n;
const MAX_INT64_DIGITS = 19;
// Sign, integer digits, fraction (with its dot), suffix; the digits may all be missing. A suffix never begins with a digit, so a text
// that does not match is given up in one walk over it.
const PARTS = /^([+-]?)([0-9]*)(\.[0-9]*)?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/;

/** An amount as Kubernetes writes it, such as `100m` or `1Gi`. Exact. */
export class Quantity {
  readonly format: QuantityFormat;
  readonly #amount: Decimal;
  /** Whether the amount is small: an int64 and a power of ten. */
  readonly #small: boolean;
  #text: string | undefined;

  constructor(amount: Decimal, small: boolean, format: QuantityFormat, text?: string) {
    this.#amount = amount;
    this.#small = small;
    this.format = format;
    this.#text = text;
  }

  sign(): -1 | 0 | 1 {
    return sign(this.#amount.unscaled);
  }

  isZero(): boolean {
    return this.#amount.unscaled === 0n;
  }

  /** While many digits are compared, `pause` is called now and then; it may throw. */
  compare(other: Quantity, pause?: () => void): -1 | 0 | 1 {
    return compareDecimals(this.#amount, other.#amount, pause);
  }

  /** This quantity after Go compared it with others: as a big decimal, if one of them was. Only `unitsOf` tells the difference. */
  comparedWith(others: readonly (Quantity | undefined)[]): Quantity {
    const isBig = this.#small && others.some((other) => other !== undefined && !other.#small);
    return isBig ? new Quantity(this.#amount, false, this.format, this.#text) : this;
  }

  equals(other: Quantity, pause?: () => void): boolean {
    return this.compare(other, pause) === 0;
  }

  /** The amount in billionths, which is always a whole number; undefined for amounts far beyond any resource. */
  nanos(): bigint | undefined {
    const { unscaled, exponent } = this.#amount;
    return exponent < -9 || exponent > 60 ? undefined : unscaled * 10n ** BigInt(exponent + 9);
  }

  /** About how many digits are kept; at most some more than there are. */
  digitCount(): number {
    return this.#small ? MAX_INT64_DIGITS : mostDigits(this.#amount.unscaled);
  }

  /** The exact sum, in this quantity's format; a zero takes the other's. */
  add(other: Quantity): Quantity {
    return this.#plus(other, other.#amount, other.#amount);
  }

  sub(other: Quantity): Quantity {
    const { unscaled, exponent } = other.#amount;
    // In a small amount the smallest int64 is its own negative; where that does not fit, big decimals are exact.
    return this.#plus(other, { unscaled: BigInt.asIntN(64, -unscaled), exponent }, { unscaled: -unscaled, exponent });
  }

  #plus(other: Quantity, small: Decimal, big: Decimal): Quantity {
    const format = this.isZero() ? other.format : this.format;
    if (this.#small && other.#small) {
      const sum = addSmall(this.#amount, small);
      if (sum !== undefined) return new Quantity(sum, true, format);
    }
    return new Quantity(addDecimals(this.#amount, big), false, format);
  }

  /** The value as an int64, if it is kept as one: `1000m` and `1.5Gi` are not. */
  asInteger(): bigint | undefined {
    if (!this.#small || this.#amount.exponent < 0) return undefined;
    return scaleUp(this.#amount.unscaled, this.#amount.exponent);
  }

  /** The parts of a quantity that Go keeps: a number with a power of ten, and the text it was read from or printed as. */
  goParts(): {
    readonly value: bigint;
    readonly scale: number;
    readonly cached: string;
    readonly format: QuantityFormat;
  } {
    const { unscaled, exponent } = this.#amount;
    return { value: unscaled, scale: exponent, cached: this.#text ?? "", format: this.format };
  }

  isInteger(): boolean {
    return this.asInteger() !== undefined;
  }

  asApproximateFloat(): number {
    const { unscaled, exponent } = this.#amount;
    const base = Number(unscaled);
    return exponent === 0 ? base : base * pow10(exponent);
  }

  /** Rounded away from zero to a power of ten, -3 for thousandths; the same quantity if it needs no rounding. */
  roundUp(exponent: number): Quantity {
    const rounded = roundAway(this.#amount, exponent);
    return compareDecimals(rounded, this.#amount) === 0 ? this : new Quantity(rounded, this.#small, this.format);
  }

  /**
   * The number of units of 10^exponent in the quantity, thousandths for -3: Go's int64, rounded up where it has to be, and odd where it
   * does not fit.
   */
  unitsOf(exponent: number): bigint {
    const power = this.#amount.exponent - exponent;
    return this.#small ? smallInt64(this.#amount.unscaled, power) : bigInt64(this.#amount.unscaled, power);
  }

  /** The text Kubernetes writes: the one read if it was canonical, else the canonical one. `pause` is as for `compare`. */
  toString(pause?: () => void): string {
    this.#text ??= this.canonical(pause);
    return this.#text;
  }

  toJSON(): string {
    return this.toString();
  }

  /** The canonical text: no fraction, the largest suffix that loses nothing, in the quantity's format. */
  canonical(pause: () => void = () => {}): string {
    if (this.isZero()) return "0";
    if (this.format === "BinarySI" && !this.#isBelow1024() && isWhole(this.#amount, pause)) {
      return binaryText(roundAway(this.#amount, 0).unscaled, pause);
    }
    return decimalText(this.#amount, this.format === "DecimalExponent" ? "DecimalExponent" : "DecimalSI", pause);
  }

  #isBelow1024(): boolean {
    return (
      compareDecimals(this.#amount, { unscaled: -1024n, exponent: 0 }) > 0 &&
      compareDecimals(this.#amount, { unscaled: 1024n, exponent: 0 }) < 0
    );
  }
}

/** A whole number as a quantity; Kubernetes uses DecimalExponent where it mixes integers into sums. */
export function quantityOf(value: number | bigint, format: QuantityFormat = "DecimalSI"): Quantity {
  const unscaled = BigInt(value);
  return new Quantity({ unscaled, exponent: 0 }, fitsInt64(unscaled), format);
}

/** Whether a text is an amount. */
export function isQuantity(text: string): boolean {
  return !(parseQuantity(text) instanceof Invalid);
}

/** The same few texts are read over and over, in every container of every object. */
const read = new BoundedMap<string, Quantity | Invalid>(1000);
const SHORT = 20;

/** Reads an amount such as `100m` or `1Gi`. While many digits are read, `pause` is called now and then; it may throw. */
export function parseQuantity(text: string, pause: () => void = () => {}): Quantity | Invalid {
  const known = read.get(text);
  if (known !== undefined) return known;
  const quantity = readQuantity(text, pause);
  if (text.length <= SHORT) read.set(text, quantity);
  return quantity;
}

function readQuantity(text: string, pause: () => void): Quantity | Invalid {
  if (text === "") return new Invalid(FORMAT_WRONG);
  if (text === "0") return new Quantity({ unscaled: 0n, exponent: 0 }, true, "DecimalSI", text);
  const parts = PARTS.exec(text);
  if (parts === null) return new Invalid(FORMAT_WRONG);
  const suffix = readSuffix(parts[4] ?? "");
  if (suffix === undefined) return new Invalid(SUFFIX_WRONG);
  const integer = parts[2]!.replace(/^0+/, "") || "0";
  const fraction = (parts[3] ?? ".").slice(1);
  const number: Parts = {
    negative: parts[1] === "-",
    integer,
    fraction,
    hasDigits: parts[2] !== "" || fraction !== "",
  };

  if (suffix.base === 2) return readBinary(text, number, suffix.exponent, pause);
  const small = readSmallDecimal(text, number, suffix.exponent, suffix.format);
  return small ?? readBig(number, suffix.exponent, suffix.format, pause);
}

interface Parts {
  readonly negative: boolean;
  readonly integer: string;
  readonly fraction: string;
  readonly hasDigits: boolean;
}

// At most 18 digits and nothing below nano: an int64 and a power of ten.
function readSmallDecimal(text: string, parts: Parts, exponent: number, format: QuantityFormat): Quantity | undefined {
  const digits = parts.integer + parts.fraction;
  const scale = (exponent - parts.fraction.length) | 0;
  if (digits.length > 18 || scale < NANO) return undefined;
  const value = BigInt(digits);
  const isCanonical = scale % 3 === 0 && !digits.endsWith("000") && digits.charCodeAt(0) !== 48;
  const amount = { unscaled: parts.negative ? -value : value, exponent: scale };
  return new Quantity(amount, true, format, isCanonical ? text : undefined);
}

function readBinary(text: string, parts: Parts, exponent: number, pause: () => void): Quantity | Invalid {
  // 15 digits are safe for an int64 together with the suffix' own, about three per ten bits.
  const room = 15 - parts.integer.length - Math.trunc((exponent * 3) / 10) - 1;
  if (parts.fraction !== "" || room < 0) return readBig(parts, exponent, "BinarySI", pause);
  const digits = BigInt(parts.integer);
  const value = digits << BigInt(exponent);
  const amount = { unscaled: parts.negative ? -value : value, exponent: 0 };
  return new Quantity(amount, true, "BinarySI", (digits & 7n) !== 0n ? text : undefined);
}

function readBig(parts: Parts, exponent: number, format: QuantityFormat, pause: () => void): Quantity | Invalid {
  if (!parts.hasDigits) return new Invalid(NUMERIC_WRONG);
  const isBinary = format === "BinarySI";
  const scale = ((isBinary ? 0 : exponent) - parts.fraction.length) | 0;
  const written = withoutTail(parts.integer + parts.fraction, NANO - (isBinary ? exponent : 0) - scale);
  const digits = bigintOf(written.digits, pause);
  let amount: Decimal = {
    unscaled: isBinary ? digits << BigInt(exponent) : digits,
    exponent: scale + written.dropped,
  };
  // An amount below nano is rounded up, so that it does not become nothing.
  if (digits !== 0n) amount = roundAway(amount, NANO);
  if (isBinary && compareDecimals(amount, { unscaled: MAX_INT64, exponent: 0 }) > 0) {
    amount = { unscaled: MAX_INT64, exponent: 0 };
  }
  const belowOne = isBinary && digits !== 0n && compareDecimals(amount, { unscaled: 1n, exponent: 0 }) < 0;
  const shown = belowOne ? "DecimalSI" : format;
  return new Quantity(parts.negative ? { ...amount, unscaled: -amount.unscaled } : amount, false, shown);
}

/**
 * The last `count` digits matter only in that they are not all zero, so they become one digit: a million decimals are not divided by a
 * power of ten. In a binary amount these are the digits below nano after it is doubled as often as its suffix says, since each doubling
 * takes one digit to be exact. Zero keeps all its digits.
 */
function withoutTail(digits: string, count: number): { readonly digits: string; readonly dropped: number } {
  if (count <= 1 || !NOT_ZERO.test(digits)) return { digits, dropped: 0 };
  const kept = Math.max(0, digits.length - count);
  return { digits: `${digits.slice(0, kept)}${NOT_ZERO.test(digits.slice(kept)) ? 1 : 0}`, dropped: count - 1 };
}

const NOT_ZERO = /[1-9]/;

function addSmall(a: Decimal, b: Decimal): Decimal | undefined {
  if (b.unscaled === 0n) return a;
  if (a.unscaled === 0n) return b;
  const exponent = Math.min(a.exponent, b.exponent);
  const x = scaleUp(a.unscaled, a.exponent - exponent);
  const y = scaleUp(b.unscaled, b.exponent - exponent);
  if (x === undefined || y === undefined) return undefined;
  const sum = x + y;
  return fitsInt64(sum) ? { unscaled: sum, exponent } : undefined;
}

/** value × 10^exponent if it fits an int64. */
function scaleUp(value: bigint, exponent: number): bigint | undefined {
  if (exponent === 0 || value === 0n) return value;
  if (exponent > 19) return undefined;
  const scaled = value * 10n ** BigInt(exponent);
  return fitsInt64(scaled) ? scaled : undefined;
}

function fitsInt64(n: bigint): boolean {
  return n >= MIN_INT64 && n <= MAX_INT64;
}

function decimalText(amount: Decimal, format: QuantityFormat, pause: () => void): string {
  let { digits, exponent } = withoutTrailingZeros(amount, pause);
  while (exponent % 3 !== 0) {
    digits += "0";
    exponent--;
  }
  return digits + decimalSuffix(exponent, format);
}

/** The factors of 1024 are counted at once: a number of a million digits may have a hundred thousand of them. */
function binaryText(value: bigint, pause: () => void): string {
  const exponent = Math.floor(trailingZeros(value.toString(2)) / 10) * 10;
  return digitsOf(value >> BigInt(exponent), pause) + binarySuffix(exponent);
}

// Powers of ten as Go's math.Pow10 makes them, from a table of every power up to 31 and one of every 32nd.
function pow10(n: number): number {
  if (n > 308) return Number.POSITIVE_INFINITY;
  if (n < -323) return 0;
  const size = Math.abs(n);
  const low = Number(`1e${size % 32}`);
  const high = Math.floor(size / 32) * 32;
  return n >= 0 ? Number(`1e${high}`) * low : Number(`1e-${high}`) / low;
}
