// Text as Go writes it, where the reference lets Go's formatting through to users: %g and %v of numbers, %v of values
// inside error messages, quoted strings.

import { isPlainObject } from "./box.ts";
import { CelError } from "./error.ts";
import { formatDouble } from "./format-number.ts";
import { formatGoDuration, formatGoTime } from "./time-format.ts";
import { Type } from "./type.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.ts";

/** How Go prints a value with %v, as in `no such key: <v>`. */
export function formatValue(v: Value): string {
  switch (typeof v) {
    case "string":
      return v;
    case "number":
      return Number.isSafeInteger(v) ? String(v) : formatDouble(v);
    case "bigint":
    case "boolean":
      return String(v);
    case "object":
      return v === null ? "0" : formatObject(v);
    default:
      return "<nil>";
  }
}

function formatObject(v: object): string {
  if (Array.isArray(v)) return `[${v.map(formatValue).join(", ")}]`;
  if (isPlainObject(v)) return formatEntries(Object.keys(v), (key) => v[key as string]);
  if (v instanceof Double) return formatDouble(v.value);
  if (v instanceof Uint) return String(v.value);
  if (v instanceof Uint8Array) return `[${v.join(" ")}]`;
  if (v instanceof Timestamp) return formatGoTime(v);
  if (v instanceof Duration) return formatGoDuration(v);
  if (v instanceof Optional) return v.hasValue ? `optional(${formatValue(v.value)})` : "optional.none()";
  if (v instanceof Type) return v.toString();
  if (v instanceof ListValue) return `[${Array.from({ length: v.size }, (_, i) => formatValue(v.get(i))).join(", ")}]`;
  if (v instanceof MapValue) return formatEntries(v.keys(), (key) => v.find(key));
  if (v instanceof CelError) return v.message;
  if (v instanceof Opaque || v instanceof StructValue) return formatNamed(v);
  return "<nil>";
}

function formatEntries(keys: Iterable<Value>, find: (key: Value) => Value): string {
  return `{${Array.from(keys, (key) => `${formatValue(key)}: ${formatValue(find(key))}`).join(", ")}}`;
}

/** A library's value shows its own text when it has one. */
function formatNamed(v: Opaque | StructValue): string {
  return v.toString === Object.prototype.toString ? v.type.name : v.toString();
}

export { formatDouble, formatFixed } from "./format-number.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};
/** What Go prints as it is: letters, marks, numbers, punctuation, symbols and the ASCII space. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** strconv.Quote. */
export function quote(text: string): string {
  let out = '"';
  for (const char of text) out += ESCAPES[char] ?? (PRINTABLE.test(char) ? char : escapeCodePoint(char));
  return `${out}"`;
}

function escapeCodePoint(char: string): string {
  const code = char.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code < 0x80) return `\\x${hex.padStart(2, "0")}`;
  // A lone surrogate is not a code point Go could hold; its encoding is the replacement character.
  if (code >= 0xd800 && code <= 0xdfff) return "\ufffd";
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}
