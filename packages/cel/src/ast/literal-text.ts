// Literals as text: numbers so that they keep their type, strings and bytes in double quotes.

import { Double, Uint } from "../value/value.ts";

/** A number in boxed form: `1`, `1u`, `1.0`. */
export function writeNumber(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Double) return doubleText(value.value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? String(value) : doubleText(value);
  throw new Error(`no literal can be written for ${String(value)}`);
}

function doubleText(value: number): string {
  // no literals, but a tree from elsewhere may have them as constants
  if (Number.isNaN(value)) return 'double("NaN")';
  if (!Number.isFinite(value)) return value > 0 ? 'double("Infinity")' : 'double("-Infinity")';
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

export function quoteString(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what needs escaping
  const body = text.replace(/[\x00-\x1f\x7f-\x9f\\"\u2028\u2029\ufeff]/g, (char) =>
    Object.hasOwn(ESCAPES, char) ? ESCAPES[char]! : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${body}"`;
}

export function quoteBytes(bytes: Uint8Array): string {
  let body = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (Object.hasOwn(ESCAPES, char)) body += ESCAPES[char];
    else body += byte >= 0x20 && byte < 0x7f ? char : `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `b"${body}"`;
}
