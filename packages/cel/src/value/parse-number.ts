// Numbers read from text as Go's strconv reads them. Undefined if the syntax or the range is wrong.

import { inIntRange, inUintRange, toInt } from "./int.ts";
import type { Int } from "./type.ts";

/** strconv.ParseInt(text, 10, 64). */
export function parseInt64(text: string): Int | undefined {
  const signed = text[0] === "-" || text[0] === "+";
  const digits = significantDigits(text, signed ? 1 : 0, 19);
  if (digits === undefined) return undefined;
  const magnitude = BigInt(digits);
  const value = text[0] === "-" ? -magnitude : magnitude;
  return inIntRange(value) ? toInt(value) : undefined;
}

/** strconv.ParseUint(text, 10, 64): no sign. */
export function parseUint64(text: string): Int | undefined {
  const digits = significantDigits(text, 0, 20);
  if (digits === undefined) return undefined;
  const value = BigInt(digits);
  return inUintRange(value) ? toInt(value) : undefined;
}

/**
 * The digits from `start` on, without zeros in front; undefined if there are none, if another character follows, or if there are more than
 * `most`. A pattern would keep a way back for every digit of an endless text, until the stack is full.
 */
function significantDigits(text: string, start: number, most: number): string | undefined {
  let at = start;
  while (at < text.length - 1 && text[at] === "0") at++;
  if (text.length - at > most) return undefined;
  const digits = text.slice(at);
  return /^\d+$/.test(digits) ? digits : undefined;
}

// No two neighbours accept the same character, here and below: a text that does not match is then given up in one walk over it.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const HEX = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/;

/** strconv.ParseFloat(text, 64). A number that rounds to infinity is out of range; one that rounds to zero is not. */
export function parseFloat64(text: string): number | undefined {
  const special = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (special !== null) return special[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  const digits = text.includes("_") ? removeUnderscores(text) : text;
  if (digits === undefined) return undefined;
  const value = DECIMAL.test(digits) ? Number(digits) : parseHexFloat(digits);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

/** Underscores may stand between digits, and between a base prefix and a digit. */
function removeUnderscores(text: string): string | undefined {
  const hex = /^[+-]?0[xX]/.test(text);
  const misplaced = hex ? /(?:^|[^0-9a-fA-FxX])_|_(?![0-9a-fA-F])/ : /(?:^|[^0-9])_|_(?![0-9])/;
  return misplaced.test(text) ? undefined : text.replaceAll("_", "");
}

function parseHexFloat(text: string): number | undefined {
  const match = HEX.exec(text);
  if (match === null) return undefined;
  const [whole, fraction] = [match[2] ?? "", match[3] ?? ""];
  if (whole === "" && fraction === "") return undefined;
  const digits = (whole + fraction).replace(/^0+/, "");
  const sign = match[1] === "-" ? -1 : 1;
  if (digits === "") return sign * 0;
  // 32 digits and one bit for the digits cut off are more than the 53 bits that decide, so rounding stays exact.
  const kept = digits.slice(0, 32);
  const cut = digits.slice(32);
  const mantissa = (BigInt(`0x${kept}`) << 1n) | (/[^0]/.test(cut) ? 1n : 0n);
  const exponent = clamp(Number(match[4])) + 4 * (cut.length - fraction.length) - 1;
  return sign * scaleByPowerOfTwo(mantissa, exponent);
}

const clamp = (exponent: number): number => Math.max(-1e6, Math.min(1e6, exponent));

/** mantissa · 2^exponent, rounded once, to even. */
function scaleByPowerOfTwo(mantissa: bigint, exponent: number): number {
  const bits = mantissa.toString(2).length;
  if (bits + exponent > 1024) return Number.POSITIVE_INFINITY;
  // The last bit a double can hold at this magnitude; -1074 is the last of the subnormals.
  const last = Math.max(bits + exponent - 53, -1074);
  const drop = last - exponent;
  if (drop <= 0) return Number(mantissa) * 2 ** exponent;
  if (drop > bits + 1) return 0;
  const shift = BigInt(drop);
  const rest = mantissa - ((mantissa >> shift) << shift);
  const half = 1n << (shift - 1n);
  let rounded = mantissa >> shift;
  if (rest > half || (rest === half && (rounded & 1n) === 1n)) rounded += 1n;
  // Two steps: 2^-1074 alone is the smallest double, and a factor of it would underflow before it is multiplied.
  return Number(rounded) * 2 ** Math.ceil(last / 2) * 2 ** Math.floor(last / 2);
}

const TRUE = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const FALSE = new Set(["0", "f", "F", "FALSE", "false", "False"]);

/** strconv.ParseBool. */
export function parseBool(text: string): boolean | undefined {
  return TRUE.has(text) ? true : FALSE.has(text) ? false : undefined;
}
