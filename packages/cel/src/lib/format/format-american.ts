// Numbers as golang.org/x/text/message prints them for en-US: thousands in groups, `×10ⁿ` for exponents, `∞`. Some of it
// is accident (a precision that wraps around, a precision used as a width), and kept: policies show these texts to users.

import {
  type Decimal,
  exactDecimal,
  roundFraction,
  roundSignificant,
  shortestDecimal,
  splitDecimal,
} from "./exact-decimal.ts";

/** A format's number is read digit by digit; once a million is passed the reader gives up and finds no verb. */
const MAX_NUMBER = 10_000_009;
const NO_VERB = "%!(NOVERB)";

/** `%.Nf`. */
export function fixedForReaders(x: number, precision: number | bigint): string {
  if (precision > MAX_NUMBER) return NO_VERB;
  if (!Number.isFinite(x)) return notFinite(x);
  // Digits shown at least are kept in 8 bits, digits shown at most in 16 with a sign; a negative maximum means no limit.
  const least = Number(precision) & 0xff;
  const most = (Number(precision) << 16) >> 16;
  const { whole, fraction } = splitDecimal(most < 0 ? shortestDecimal(x) : roundFraction(exactDecimal(x), most), least);
  return signOf(x) + group(whole) + (fraction === "" ? "" : `.${fraction}`);
}

const SCIENTIFIC_DIGITS = 7;

/** `%.Ne`, with N as the least width of the whole: always six digits after the point. `times` stands before the power of ten. */
export const scientificForReaders =
  (times: string) =>
  (x: number, width: number | bigint): string => {
    if (width > MAX_NUMBER) return NO_VERB;
    const text = Number.isFinite(x) ? scientific(x, times) : notFinite(x);
    // A width is kept in 16 bits. Every character of the text is one unit long.
    return text.padStart(Number(width) & 0xffff);
  };

function scientific(x: number, times: string): string {
  const { digits, point }: Decimal = roundSignificant(exactDecimal(x), SCIENTIFIC_DIGITS);
  const padded = digits.padEnd(SCIENTIFIC_DIGITS, "0");
  const exponent = digits === "" ? 0 : point - 1;
  return `${signOf(x)}${padded[0]}.${padded.slice(1)}${times}10${superscript(exponent)}`;
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  return (exponent < 0 ? "⁻" : "") + digits.replace(/[0-9]/g, (digit) => SUPERSCRIPTS[Number(digit)] as string);
}

function group(whole: string): string {
  const first = whole.length % 3;
  const groups = whole.slice(first).match(/.{3}/g) ?? [];
  return (first === 0 ? groups : [whole.slice(0, first), ...groups]).join(",");
}

const notFinite = (x: number): string => (Number.isNaN(x) ? "NaN" : `${signOf(x)}∞`);

/** Negative zero has no sign here. */
const signOf = (x: number): string => (x < 0 ? "-" : "");
