// Strings as Go quotes them: strconv.Quote and json.Marshal. Texts of a megabyte come here from untrusted clients, so escaped text is
// written unit by unit into a buffer; a string for every character would take ten times as long.

import { encodeUtf8 } from "./utf8.ts";

// strconv.IsPrint: letters, marks, numbers, punctuation, symbols, and of all spaces only U+0020.
const NEEDS_ESCAPE = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const PRINTABLE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

const SHORT_ESCAPES: ReadonlyMap<number, string> = lettersOf('\x07a \bb \ff \nn \rr \tt \vv "" \\\\');

/** strconv.Quote, and fmt's %q: a double-quoted Go string literal. */
export function quoteGo(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${escaped(text, escapeGo)}"` : `"${text}"`;
}

function escapeGo(code: number, into: Units): void {
  const short = SHORT_ESCAPES.get(code);
  if (short !== undefined) into.escape(short);
  else if (code < 0x20 || code === 0x7f) into.escapeHex("x", code, 2);
  else if (code < 0x7f) into.unit(code);
  else if (code >= 0xd800 && code < 0xe000)
    into.unit(REPLACEMENT); // a lone surrogate cannot be in a Go string
  else if (PRINTABLE.test(String.fromCodePoint(code))) into.codePoint(code);
  else if (code < 0x10000) into.escapeHex("u", code, 4);
  else into.escapeHex("U", code, 8);
}

// \p{Cc} is more than JSON escapes; the few others are let through below.
const JSON_NEEDS_ESCAPE = /["\\<>&\u2028\u2029]|\p{Cc}|\p{Cs}/u;
const JSON_SHORT: ReadonlyMap<number, string> = lettersOf('"" \\\\ \bb \ff \nn \rr \tt');
const JSON_LONG: ReadonlySet<number> = new Set([..."<>&\u2028\u2029"].map((char) => char.charCodeAt(0)));

/** A string as json.Marshal writes it: `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export function quoteJson(text: string): string {
  return JSON_NEEDS_ESCAPE.test(text) ? `"${escaped(text, escapeJson)}"` : `"${text}"`;
}

function escapeJson(code: number, into: Units): void {
  const short = JSON_SHORT.get(code);
  if (short !== undefined) into.escape(short);
  else if (code < 0x20 || JSON_LONG.has(code)) into.escapeHex("u", code, 4);
  else if (code >= 0xd800 && code < 0xe000) into.escapeHex("u", REPLACEMENT, 4);
  else into.codePoint(code);
}

/** A string as Go's package time quotes it: control characters but DEL, and the bytes of all that is not ASCII, in hex. */
export function quoteGoTime(text: string): string {
  const quoted = text.replace(/["\\]|[^ -\x7f]/gu, (char) => {
    if (char === '"' || char === "\\") return `\\${char}`;
    return [...encodeUtf8(char)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
  });
  return `"${quoted}"`;
}

const REPLACEMENT = 0xfffd;

/** Pairs of a character and the letter that stands for it after a backslash. */
function lettersOf(pairs: string): Map<number, string> {
  return new Map(pairs.split(" ").map((pair) => [pair.charCodeAt(0), pair.charAt(1)]));
}

/** Code points that are written before their units become text, and the most units that one is written as. */
const PIECE = 1024;
const LONGEST = 10;

function escaped(text: string, write: (code: number, into: Units) => void): string {
  const pieces: string[] = [];
  const units = new Units(Math.min(text.length, PIECE));
  for (let i = 0; i < text.length; ) {
    for (let count = 0; count < PIECE && i < text.length; count++) {
      const code = text.codePointAt(i) as number;
      write(code, units);
      i += code > 0xffff ? 2 : 1;
    }
    pieces.push(units.take());
  }
  return pieces.join("");
}

/** UTF-16 units of a piece of text. */
class Units {
  readonly #units: Uint16Array;
  #count = 0;

  constructor(codePoints: number) {
    this.#units = new Uint16Array(codePoints * LONGEST);
  }

  unit(unit: number): void {
    this.#units[this.#count++] = unit;
  }
  codePoint(code: number): void {
    if (code < 0x10000) this.unit(code);
    else {
      this.unit(0xd800 + ((code - 0x10000) >> 10));
      this.unit(0xdc00 + (code & 0x3ff));
    }
  }
  escape(letter: string): void {
    this.unit(BACKSLASH);
    this.unit(letter.charCodeAt(0));
  }
  escapeHex(letter: string, code: number, width: number): void {
    this.escape(letter);
    for (let shift = 4 * (width - 1); shift >= 0; shift -= 4) this.unit(HEX.charCodeAt((code >> shift) & 15));
  }
  take(): string {
    const text = String.fromCharCode.apply(null, this.#units.subarray(0, this.#count) as unknown as number[]);
    this.#count = 0;
    return text;
  }
}

const BACKSLASH = 0x5c;
const HEX = "0123456789abcdef";
