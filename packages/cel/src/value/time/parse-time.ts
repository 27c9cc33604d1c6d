// Durations and timestamps from text, as Go reads them. Undefined if the text is no duration or timestamp. Policies read times in every
// request, so this is written by hand over character codes; bigints appear only where a number would not be exact.

import type { CelError } from "../error.ts";
import { work } from "../size/work.ts";
import { Duration, type Timestamp } from "../value.ts";
import { daysInMonth, secondsFromCivil } from "./calendar.ts";
import { MAX_DURATION_SECONDS, makeDuration, makeTimestamp } from "./time-range.ts";

/** A number with its unit takes that much longer than an element compared. */
const STEPS_PER_PART = 8;

const ZERO = 48;
const DOT = 46;
const COMMA = 44;
const COLON = 58;
const DASH = 45;
const PLUS = 43;

const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;

function skipDigits(text: string, from: number): number {
  let i = from;
  while (isDigit(text.charCodeAt(i))) i++;
  return i;
}

// --- durations

/** Nanoseconds. The micro sign and the Greek letter both stand for it. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  ["\u00b5s", 1e3],
  ["\u03bcs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);

/** Go's time.ParseDuration: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration | undefined {
  const negative = text.charCodeAt(0) === DASH;
  let i = negative || text.charCodeAt(0) === PLUS ? 1 : 0;
  if (i === text.length) return undefined;
  if (text.length === i + 1 && text.charCodeAt(i) === ZERO) return new Duration(0, 0);
  let [seconds, nanos] = [0, 0];
  while (i < text.length) {
    work(STEPS_PER_PART);
    const wholeStart = i;
    i = skipDigits(text, i);
    const whole = text.slice(wholeStart, i);
    const fractionStart = text.charCodeAt(i) === DOT ? i + 1 : i;
    i = skipDigits(text, fractionStart);
    const fraction = text.slice(fractionStart, i);
    const unitStart = i;
    while (i < text.length && !isDigit(text.charCodeAt(i)) && text.charCodeAt(i) !== DOT) i++;
    const unit = UNITS.get(text.slice(unitStart, i));
    if (unit === undefined || (whole === "" && fraction === "")) return undefined;
    nanos += fractionNanos(fraction, unit);
    if (whole.length > 9) {
      const exact = wholeNanos(whole, unit);
      if (exact === undefined) return undefined;
      seconds += Number(exact / 1000000000n);
      nanos += Number(exact % 1000000000n);
    } else if (unit >= 1e9) seconds += Number(whole) * (unit / 1e9);
    else nanos += Number(whole) * unit;
    const carry = Math.floor(nanos / 1e9);
    [seconds, nanos] = [seconds + carry, nanos - carry * 1e9];
    if (seconds > MAX_DURATION_SECONDS) return undefined;
  }
  return negative ? makeDuration(-seconds, -nanos) : makeDuration(seconds, nanos);
}

function wholeNanos(whole: string, unit: number): bigint | undefined {
  const digits = whole.replace(/^0+/, "");
  // Twenty digits are beyond the limit in every unit, and an endless text would take endless time to convert.
  return digits.length > 19 ? undefined : BigInt(digits) * BigInt(unit);
}

/** Go scales the digits in floating point and truncates. Digits beyond 63 bits are dropped. */
function fractionNanos(fraction: string, unit: number): number {
  if (fraction === "") return 0;
  if (fraction.length <= 15) return Math.trunc(Number(fraction) * (unit / 10 ** fraction.length));
  let [digits, scale] = [0n, 1];
  for (const char of fraction) {
    const next = digits * 10n + BigInt(char);
    if (digits > (1n << 63n) / 10n || next > 1n << 63n) break;
    digits = next;
    scale *= 10;
  }
  return Math.trunc(Number(digits) * (unit / scale));
}

// --- timestamps

/**
 * Go's time.Parse with RFC 3339, which wants two digits everywhere but takes one for the hour, a comma for the decimal
 * point, and offsets up to 24:60. An error beyond the years 1..9999.
 */
export function parseTimestamp(text: string): Timestamp | CelError | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  if (!(year >= 0) || text[4] !== "-" || text[7] !== "-" || text[10] !== "T") return undefined;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  // From here on the text may be shifted by the missing digit of the hour.
  const shortHour = text.charCodeAt(12) === COLON;
  const at = shortHour ? 12 : 13;
  const hour = shortHour ? text.charCodeAt(11) - ZERO : twoDigits(text, 11);
  const minute = twoDigits(text, at + 1);
  const second = twoDigits(text, at + 4);
  if (text.charCodeAt(at) !== COLON || text.charCodeAt(at + 3) !== COLON) return undefined;
  if (!(hour >= 0 && hour <= (shortHour ? 9 : 23) && minute <= 59 && second <= 59)) return undefined;
  const fraction = fractionAt(text, at + 6);
  const end = at + 6 + fraction.length;
  const nanos = fraction === "" ? 0 : Number(fraction.slice(1, 10).padEnd(9, "0"));
  const offset = offsetAt(text, end);
  if (offset === undefined) return undefined;
  return makeTimestamp(secondsFromCivil(year, month, day, hour, minute, second) - offset * 60, nanos, offset);
}

/** NaN when they are not both digits; every comparison with it fails. */
function twoDigits(text: string, at: number): number {
  const [tens, ones] = [text.charCodeAt(at) - ZERO, text.charCodeAt(at + 1) - ZERO];
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

/** `.5` or `,5`, with its point; empty without a fraction. */
function fractionAt(text: string, at: number): string {
  const point = text.charCodeAt(at);
  if (point !== DOT && point !== COMMA) return "";
  const end = skipDigits(text, at + 1);
  return end > at + 1 ? text.slice(at, end) : "";
}

/** Minutes east of UTC, when exactly a zone is left of the text. */
function offsetAt(text: string, at: number): number | undefined {
  if (text[at] === "Z") return text.length === at + 1 ? 0 : undefined;
  const sign = text.charCodeAt(at);
  const [hours, minutes] = [twoDigits(text, at + 1), twoDigits(text, at + 4)];
  if ((sign !== PLUS && sign !== DASH) || text.charCodeAt(at + 3) !== COLON || text.length !== at + 6) return undefined;
  if (!(hours <= 24 && minutes <= 60)) return undefined;
  return sign === PLUS ? hours * 60 + minutes : 0 - (hours * 60 + minutes);
}
