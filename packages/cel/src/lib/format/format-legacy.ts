// `string.format` before version 4 of the strings library, as Kubernetes has it: values inside containers look like CEL
// literals, and numbers with a fraction are written for readers of American English. Upstream: cel-go ext/formatting.go
// over golang.org/x/text/message.

import { decodeUtf8, formatFloatV, quoteGo } from "@celadon/base";
import { bareDouble, isDouble, isList, isMap } from "../../value/box.ts";
import { type CelError, isError } from "../../value/error.ts";
import { formatDuration, formatTimestamp } from "../../value/time/time-format.ts";
import { Type } from "../../value/type.ts";
import { typeName } from "../../value/type-of.ts";
import { Duration, Timestamp, type Value } from "../../value/value.ts";
import { formatFixedPoint } from "./exact-decimal.ts";
import { fixedForReaders, scientificForReaders } from "./format-american.ts";
import { listText, MAX_NESTING, mapText, nestsTooDeeply } from "./format-containers.ts";
import { formatBinary, formatDecimal, formatHex, formatOctal, formatUpperHex } from "./format-integers.ts";
import { type Dialect, formatError, TEXT_KINDS, TEXT_REFUSAL } from "./format-string.ts";

// The validator lets strings pass for %f and %e, because three of them are numbers; evaluation looks at which.
// biome-ignore format: one verb per line
const dialect = (times: string): Dialect => ({
  s: { kinds: TEXT_KINDS,                         format: (value) => textOf(value, 0),   refusal: TEXT_REFUSAL },
  d: { kinds: ["int", "uint"],                    format: formatDecimal,                 refusal: "decimal clause can only be used on integers" },
  f: { kinds: ["double", "string"],               format: withNumber(fixedForReaders),   refusal: "fixed-point clause can only be used on doubles" },
  e: { kinds: ["double", "string"],               format: withNumber(scientificForReaders(times)), refusal: "scientific clause can only be used on doubles" },
  b: { kinds: ["int", "uint", "bool"],            format: formatBinary,                  refusal: "only integers and bools can be formatted as binary" },
  x: { kinds: ["int", "uint", "string", "bytes"], format: formatHex,                     refusal: "only integers, byte buffers, and strings can be formatted as hex" },
  X: { kinds: ["int", "uint", "string", "bytes"], format: formatUpperHex,                refusal: "only integers, byte buffers, and strings can be formatted as hex" },
  o: { kinds: ["int", "uint"],                    format: formatOctal,                   refusal: "octal clause can only be used on integers" },
});

export const LEGACY_FORMAT: Dialect = dialect("×");
/** With the number format of older locale data: narrow spaces around the sign, as releases before cel-go 0.23 are used with. */
export const SPACED_FORMAT: Dialect = dialect("\u202f×\u202f");

const DEFAULT_PRECISION = 6;

const NUMBER_WORDS: ReadonlyMap<Value, number> = new Map<Value, number>([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function withNumber(format: (x: number, precision: number | bigint) => string): Dialect["f"]["format"] {
  return (value, precision = DEFAULT_PRECISION) => {
    const x = isDouble(value) ? bareDouble(value) : NUMBER_WORDS.get(value);
    return x === undefined ? undefined : format(x, precision);
  };
}

/** The text of a value that stands alone; undefined for a type that has none. */
function textOf(value: Value, depth: number): string | CelError | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  if (value === null || value === undefined) return "null";
  if (isDouble(value)) return formatFloatV(bareDouble(value));
  if (value instanceof Uint8Array) {
    return decodeUtf8(value) ?? formatError(NOT_UTF8);
  }
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Type) return value.name;
  if (isList(value))
    return depth < MAX_NESTING ? listText(value, (element) => literalOf(element, depth + 1)) : nestsTooDeeply();
  if (isMap(value)) {
    const toText = (part: Value): string | CelError => literalOf(part, depth + 1);
    return depth < MAX_NESTING ? mapText(value, keyLiteral, toText, ":") : nestsTooDeeply();
  }
  return formatDecimal(value);
}

const NOT_UTF8 = 'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';

/** The text of a value inside a container, as a CEL literal where there is one. */
function literalOf(value: Value, depth: number): string | CelError {
  if (isError(value)) return value;
  if (isDouble(value)) return doubleLiteral(bareDouble(value));
  const text = textOf(value, depth) ?? formatError(`no formatting function for ${typeName(value)}`);
  if (typeof text !== "string") return text;
  if (typeof value === "string") return quoteGo(text);
  if (value instanceof Uint8Array) return `b${quoteGo(text)}`;
  if (value instanceof Timestamp) return `timestamp("${text}")`;
  if (value instanceof Duration) return `duration("${text}")`;
  return text;
}

function doubleLiteral(x: number): string {
  return Number.isFinite(x) ? formatFixedPoint(x, DEFAULT_PRECISION) : `"${formatFloatV(x)}"`;
}

function keyLiteral(key: Value): string | CelError {
  if (typeof key === "string") return quoteGo(key);
  if (typeof key === "boolean") return String(key);
  return formatDecimal(key) ?? formatError(`no formatting function for map key of type ${typeName(key)}`);
}
