// Conversions of the standard library, on bare values. Named target-from-source; conversions that cannot fail answer the value itself.

import { decodeUtf8, encodeUtf8, formatFloatV } from "@celadon/base";
import { BYTES_GROWTH } from "./bytes.ts";
import { CelError } from "./error.ts";
import { intOverflow, MAX_INT, toInt, uintOverflow } from "./int.ts";
import { parseBool, parseFloat64, parseInt64, parseUint64 } from "./parse-number.ts";
import { grow, walk } from "./size/work.ts";
import { durationToNanos, makeTimestamp, parseDuration, parseTimestamp, timestampOverflow } from "./time/time.ts";
import { formatDuration, formatTimestamp } from "./time/time-format.ts";
import { BOOL, DOUBLE, DURATION, INT, type Int, STRING, TIMESTAMP, type Type, UINT } from "./type.ts";
import type { Duration, Timestamp } from "./value.ts";

/** `type conversion error from 'string' to 'int'`. */
export function conversionError(from: Type, to: Type): CelError {
  return new CelError("conversion", `type conversion error from '${from.name}' to '${to.name}'`);
}

const TWO_63 = 2 ** 63;
const TWO_64 = 2 ** 64;

// --- int

/** Toward zero. The limits are exclusive on both sides: -2^63 itself is refused. */
export function intFromDouble(x: number): Int | CelError {
  if (!(x > -TWO_63 && x < TWO_63)) return intOverflow();
  const whole = Math.trunc(x) + 0;
  return Number.isSafeInteger(whole) ? whole : toInt(BigInt(whole));
}
export function intFromUint(u: Int): Int | CelError {
  return typeof u === "bigint" && u > MAX_INT ? intOverflow() : u;
}
export function intFromString(s: string): Int | CelError {
  walk(s.length);
  return parseInt64(s) ?? conversionError(STRING, INT);
}
/** Nanoseconds. */
export function intFromDuration(d: Duration): Int {
  return durationToNanos(d);
}
/** Seconds since the epoch. */
export function intFromTimestamp(ts: Timestamp): Int {
  return ts.seconds;
}

// --- uint

export function uintFromDouble(x: number): Int | CelError {
  if (!(x >= 0 && x < TWO_64)) return uintOverflow();
  const whole = Math.trunc(x) + 0;
  return Number.isSafeInteger(whole) ? whole : toInt(BigInt(whole));
}
export function uintFromInt(i: Int): Int | CelError {
  return i < 0 ? uintOverflow() : i;
}
export function uintFromString(s: string): Int | CelError {
  walk(s.length);
  return parseUint64(s) ?? conversionError(STRING, UINT);
}

// --- double

export function doubleFromInt(i: Int): number {
  return Number(i);
}
export function doubleFromString(s: string): number | CelError {
  walk(s.length);
  return parseFloat64(s) ?? conversionError(STRING, DOUBLE);
}

// --- string

export function stringFromInt(i: Int): string {
  return String(i);
}
export function stringFromDouble(x: number): string {
  return formatFloatV(x);
}
export function stringFromBool(b: boolean): string {
  return String(b);
}
export function stringFromBytes(bytes: Uint8Array): string | CelError {
  grow(bytes.length);
  return decodeUtf8(bytes) ?? new CelError("conversion", "invalid UTF-8 in bytes, cannot convert to string");
}
export function stringFromDuration(d: Duration): string {
  return formatDuration(d);
}
export function stringFromTimestamp(ts: Timestamp): string {
  return formatTimestamp(ts);
}

// --- bytes, bool

export function bytesFromString(s: string): Uint8Array {
  grow(BYTES_GROWTH + s.length);
  return encodeUtf8(s);
}
export function boolFromString(s: string): boolean | CelError {
  return parseBool(s) ?? conversionError(STRING, BOOL);
}

// --- duration, timestamp

/** Reads a duration such as `1h30m`. */
export function durationFromString(s: string): Duration | CelError {
  walk(s.length);
  return parseDuration(s) ?? conversionError(STRING, DURATION);
}
/** Declared, but nothing implements it: the reference always answers so. */
export function durationFromInt(_: Int): Duration | CelError {
  return conversionError(INT, DURATION);
}
/** Reads a timestamp as RFC 3339 has it. */
export function timestampFromString(s: string): Timestamp | CelError {
  walk(s.length);
  return parseTimestamp(s) ?? conversionError(STRING, TIMESTAMP);
}
/** Seconds since the epoch. */
export function timestampFromInt(i: Int): Timestamp | CelError {
  return typeof i === "bigint" ? timestampOverflow() : makeTimestamp(i, 0);
}
