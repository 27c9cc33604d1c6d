// Scalars in quotes. Lines are folded wherever they are indented: only a document marker or the end of the text ends them.

import { ReadFailure } from "../issue.ts";
import { type Cursor, END, isBlank, isBlankOrEnd, isBreak } from "./yaml-cursor.ts";
import { foldBreaks } from "./yaml-fold.ts";
import type { ScalarToken } from "./yaml-token.ts";

const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["\t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

/** Digits of the escapes that give a code point. */
const CODE_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

/** The scalar whose opening quote is at the cursor. */
export function scanQuoted(cursor: Cursor): ScalarToken {
  const start = cursor.at;
  const quote = cursor.code();
  const isSingle = quote === APOSTROPHE;
  cursor.at++;
  let text = "";
  for (;;) {
    if (cursor.code() === END || cursor.isAtMarker()) throw unclosed(start, isSingle);
    const isJoined = isSingle ? false : takeEscapes();
    if (isSingle) takeSingle();
    if (cursor.code() === quote) break;
    text += takeBlanks(isJoined);
  }
  cursor.at++;
  return { type: "scalar", style: isSingle ? "single" : "double", text, start, end: cursor.at };

  /** Everything up to a blank, a line end or the closing quote; two quotes are one. */
  function takeSingle(): void {
    let from = cursor.at;
    for (let unit = cursor.code(); !isBlankOrEnd(unit); unit = cursor.code()) {
      if (unit === APOSTROPHE) {
        if (cursor.code(1) !== APOSTROPHE) break;
        text += cursor.text.slice(from, cursor.at + 1);
        from = cursor.at += 2;
      } else cursor.at++;
    }
    text += cursor.text.slice(from, cursor.at);
  }

  /** The same between double quotes. True if it ended with a backslash at a line end, which joins the lines. */
  function takeEscapes(): boolean {
    let from = cursor.at;
    for (let unit = cursor.code(); !isBlankOrEnd(unit) && unit !== QUOTE; unit = cursor.code()) {
      if (unit !== BACKSLASH) {
        cursor.at++;
        continue;
      }
      text += cursor.text.slice(from, cursor.at);
      if (isBreak(cursor.code(1))) {
        cursor.at++;
        cursor.takeBreak();
        return true;
      }
      text += takeEscape(cursor, start);
      from = cursor.at;
    }
    text += cursor.text.slice(from, cursor.at);
    return false;
  }

  /** Blanks in a line are text; those around line ends are not. */
  function takeBlanks(isJoined: boolean): string {
    const from = cursor.at;
    let breaks = "";
    let isFolded = isJoined;
    let first = "";
    for (;;) {
      const unit = cursor.code();
      if (isBlank(unit)) cursor.at++;
      else if (!isBreak(unit)) break;
      else if (isFolded) breaks += cursor.takeBreak();
      else {
        first = cursor.takeBreak();
        isFolded = true;
      }
    }
    return isFolded ? foldBreaks(first, breaks) : cursor.text.slice(from, cursor.at);
  }
}

function takeEscape(cursor: Cursor, start: number): string {
  const letter = String.fromCodePoint(cursor.text.codePointAt(cursor.at + 1) ?? END);
  const plain = ESCAPES.get(letter);
  if (plain !== undefined) {
    cursor.at += 2;
    return plain;
  }
  const length = CODE_LENGTHS.get(letter);
  if (length === undefined) {
    if (cursor.code(1) === END) throw unclosed(start, false);
    const message = `\\${letter} is no escape sequence in double quotes; write \\\\ for a backslash, or use single quotes`;
    throw new ReadFailure("syntax", message, cursor.at);
  }
  const digits = cursor.text.slice(cursor.at + 2, cursor.at + 2 + length);
  const code = /^[0-9a-fA-F]+$/.test(digits) && digits.length === length ? Number.parseInt(digits, 16) : -1;
  if (code < 0) throw new ReadFailure("syntax", `\\${letter} needs ${length} hexadecimal digits`, cursor.at);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    throw new ReadFailure("syntax", `\\${letter}${digits} is no Unicode character`, cursor.at);
  }
  cursor.at += 2 + length;
  return String.fromCodePoint(code);
}

function unclosed(start: number, isSingle: boolean): ReadFailure {
  return new ReadFailure("syntax", `missing closing ${isSingle ? "single" : "double"} quote`, start);
}
