// `string.format` since version 4 of the strings library: the specification's. Upstream: cel-go ext/formatting_v2.go.

import { decodeUtf8Lossy, formatFixed, formatFloatV } from "@celadon/base";
import { bareDouble, isDouble, isList, isMap } from "../../value/box.ts";
import { type CelError, isError } from "../../value/error.ts";
import { formatDuration, formatTimestamp } from "../../value/time/time-format.ts";
import { Type } from "../../value/type.ts";
import { typeName } from "../../value/type-of.ts";
import { Duration, Timestamp, Uint, type Value } from "../../value/value.ts";
import { formatFixedPoint, formatScientific } from "./exact-decimal.ts";
import { listText, MAX_NESTING, mapText, nestsTooDeeply } from "./format-containers.ts";
import { bareInteger, formatBinary, formatDecimal, formatHex, formatOctal, formatUpperHex } from "./format-integers.ts";
import { type Dialect, formatError, TEXT_KINDS, TEXT_REFUSAL } from "./format-string.ts";

// biome-ignore format: one verb per line
export const FORMAT: Dialect = {
  s: { kinds: TEXT_KINDS,                          format: (value) => textOf(value, 0), refusal: TEXT_REFUSAL },
  d: { kinds: ["int", "uint", "double"],           format: formatNumber,                refusal: "decimal clause can only be used on ints, uints, and doubles" },
  f: { kinds: ["int", "uint", "double"],           format: fixedPoint,                  refusal: "fixed-point clause can only be used on ints, uints, and doubles" },
  e: { kinds: ["int", "uint", "double"],           format: scientific,                  refusal: "scientific clause can only be used on ints, uints, and doubles" },
  b: { kinds: ["bool", "int", "uint"],             format: formatBinary,                refusal: "only ints, uints, and bools can be formatted as binary" },
  x: { kinds: ["int", "uint", "string", "bytes"],  format: formatHex,                   refusal: "only ints, uints, bytes, and strings can be formatted as hex" },
  X: { kinds: ["int", "uint", "string", "bytes"],  format: formatUpperHex,              refusal: "only ints, uints, bytes, and strings can be formatted as hex" },
  o: { kinds: ["int", "uint"],                     format: formatOctal,                 refusal: "octal clause can only be used on ints and uints" },
};

/** The text of a value, alone or inside a container; undefined for a type that has none. */
function textOf(value: Value, depth: number): string | CelError | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return "null";
  if (value instanceof Uint8Array) return decodeUtf8Lossy(value);
  if (value instanceof Duration) return formatDuration(value);
  // In UTC; the offset of the input is lost.
  if (value instanceof Timestamp) return formatTimestamp(new Timestamp(value.seconds, value.nanos));
  if (value instanceof Type) return value.name;
  if (isList(value))
    return depth < MAX_NESTING ? listText(value, (element) => nestedText(element, depth + 1)) : nestsTooDeeply();
  if (isMap(value)) {
    const toText = (part: Value): string | CelError => nestedText(part, depth + 1);
    return depth < MAX_NESTING ? mapText(value, toText, toText, ": ") : nestsTooDeeply();
  }
  return formatNumber(value);
}

function nestedText(value: Value, depth: number): string | CelError {
  if (isError(value)) return value;
  return textOf(value, depth) ?? formatError(`${TEXT_REFUSAL}, was given ${typeName(value)}`);
}

function formatNumber(value: Value): string | undefined {
  if (!isDouble(value)) return formatDecimal(value);
  const x = bareDouble(value);
  return notFinite(x) ?? formatFixed(x);
}

function notFinite(x: number): string | undefined {
  if (Number.isFinite(x)) return undefined;
  return Number.isNaN(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
}

const DEFAULT_PRECISION = 6;
/** Go reads a precision digit by digit and gives up once a million is passed. */
const MAX_PRECISION = 10_000_009;

function fixedPoint(value: Value, precision: number | bigint = DEFAULT_PRECISION): string | undefined {
  return formatWith("f", formatFixedPoint, value, precision);
}

function scientific(value: Value, precision: number | bigint = DEFAULT_PRECISION): string | undefined {
  return formatWith("e", formatScientific, value, precision);
}

/**
 * Go's Sprintf with a verb for floating-point numbers. The clauses accept integers, but Go's verbs do not: Go's output for them is part of
 * the reference's answers, and so of ours.
 */
function formatWith(
  verb: "f" | "e",
  format: (x: number, precision: number) => string,
  value: Value,
  precision: number | bigint,
): string | undefined {
  const integer = bareInteger(value);
  if (integer === undefined && !isDouble(value)) return undefined;
  const x = isDouble(value) ? bareDouble(value) : undefined;
  const special = x === undefined ? undefined : notFinite(x);
  if (special !== undefined) return special;
  if (precision > MAX_PRECISION) {
    return `%!(NOVERB)%!(EXTRA ${goType(value)}=${x === undefined ? integer : formatFloatV(x)})`;
  }
  const digits = Number(precision);
  if (x !== undefined) return format(x, digits);
  return `%!${verb}(${goType(value)}=${integerDigits(verb, integer as number | bigint, digits)})`;
}

const goType = (value: Value): string => (isDouble(value) ? "float64" : value instanceof Uint ? "uint64" : "int64");

/** At least `precision` digits. Zero with no digits is empty; `%e` has a width of one, so that it becomes a space. */
function integerDigits(verb: "f" | "e", integer: number | bigint, precision: number): string {
  if (precision === 0 && Number(integer) === 0) return verb === "e" ? " " : "";
  const sign = integer < 0 ? "-" : "";
  return sign + String(integer).slice(sign.length).padStart(precision, "0");
}
