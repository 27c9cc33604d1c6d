// Pieces of the fast YAML reader: giving up, plain scalars, and quoted ones.

import type { ReadSettings } from "../options.ts";
import { keyTextOf, scalarValue } from "../yaml/yaml-data.ts";
import { isPlainText, resolvePlain } from "../yaml/yaml-scalar.ts";
import { isBooleanWord } from "../yaml/yaml-warning.ts";

/** The text needs the complete reader. */
export class GiveUp extends Error {}

const GIVE_UP = new GiveUp();

export function giveUp(): never {
  throw GIVE_UP;
}

export const TAB = 0x09;
export const LINE_END = 0x0a;
export const SPACE = 0x20;

/** Longer keys are left to the complete reader: some of them are no keys. */
export const LONGEST_KEY = 1000;

/** Whether a character code is a space, a line end, or no character at all. */
export function isBlankOrEnd(unit: number): boolean {
  return unit === SPACE || unit === LINE_END || Number.isNaN(unit);
}

/** The text between two offsets without the spaces at its end. */
export function trimmed(text: string, start: number, end: number): string {
  let last = end;
  while (last > start && text.charCodeAt(last - 1) === SPACE) last--;
  return text.slice(start, last);
}

/** The value of a plain scalar. */
export function plainValue(text: string, settings: ReadSettings): unknown {
  if (isPlainText(text)) return text;
  const value = scalarValue(resolvePlain(text), settings);
  return value === undefined ? giveUp() : value;
}

/** The key that a plain scalar makes. */
export function plainKey(text: string): string {
  if (isPlainText(text)) return text;
  const scalar = resolvePlain(text);
  // The complete reader warns of keys such as `on`.
  if (text === "<<" || (scalar.kind === "bool" && isBooleanWord(text))) giveUp();
  return keyTextOf(scalar) ?? giveUp();
}

export interface Piece<T> {
  readonly value: T;
  readonly end: number;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  [" ", " "],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
]);

/** A scalar in quotes. Its further lines have to be indented more than `indent`. */
export function readQuoted(text: string, start: number, indent: number): Piece<string> {
  return text[start] === '"' ? readDouble(text, start, indent) : readSingle(text, start, indent);
}

/** Behind the quote that ends the scalar, or -1 if it goes on after its line. */
export function quotedLineEnd(text: string, start: number): number {
  const quote = text.charCodeAt(start);
  for (let i = start + 1; ; i++) {
    const unit = text.charCodeAt(i);
    if (unit === LINE_END || i >= text.length) return -1;
    if (unit === 0x5c && quote === 0x22) i++;
    else if (unit === quote) {
      if (quote === 0x22 || text.charCodeAt(i + 1) !== quote) return i + 1;
      i++;
    }
  }
}

/** A scalar in quotes that has to end on its line. */
export function readQuotedLine(text: string, start: number): Piece<string> {
  return readQuoted(text, start, Number.POSITIVE_INFINITY);
}

function readSingle(text: string, start: number, indent: number): Piece<string> {
  let value = "";
  let from = start + 1;
  for (let i = from; ; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x27) {
      value += text.slice(from, i);
      if (text.charCodeAt(i + 1) !== 0x27) return { value, end: i + 1 };
      i++;
      from = i;
    } else if (unit === LINE_END) {
      value += trimmed(text, from, i);
      const folded = foldLines(text, i, indent);
      value += folded.value;
      from = folded.end;
      i = from - 1;
    } else if (unit === TAB || i >= text.length) giveUp();
  }
}

function readDouble(text: string, start: number, indent: number): Piece<string> {
  let value = "";
  let from = start + 1;
  for (let i = from; ; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return { value: value + text.slice(from, i), end: i + 1 };
    if (unit === LINE_END) {
      value += trimmed(text, from, i);
      const folded = foldLines(text, i, indent);
      value += folded.value;
      from = folded.end;
      i = from - 1;
    } else if (unit === 0x5c) {
      value += text.slice(from, i);
      const piece = text.charCodeAt(i + 1) === LINE_END ? joinLine(text, i + 1, indent) : readEscape(text, i + 1);
      value += piece.value;
      from = piece.end;
      i = piece.end - 1;
    } else if (unit === TAB || i >= text.length) giveUp();
  }
}

/** A line end in a quoted scalar and the blank lines after it: a space, or one line end for each of those. */
function foldLines(text: string, at: number, indent: number): Piece<string> {
  let blanks = 0;
  let line = at + 1;
  for (;;) {
    const first = skipSpaces(text, line);
    if (text.charCodeAt(first) !== LINE_END) {
      if (first - line <= indent) giveUp();
      return { value: blanks === 0 ? " " : "\n".repeat(blanks), end: first };
    }
    blanks++;
    line = first + 1;
  }
}

/** An escaped line end stands for nothing; if blanks follow, the complete reader takes over. */
function joinLine(text: string, at: number, indent: number): Piece<string> {
  const first = skipSpaces(text, at + 1);
  if (first - at - 1 <= indent || text.charCodeAt(first) === LINE_END) giveUp();
  return { value: "", end: first };
}

export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

const HEX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
]);

function readEscape(text: string, at: number): Piece<string> {
  const letter = text[at] ?? "";
  const plain = ESCAPES.get(letter);
  if (plain !== undefined) return { value: plain, end: at + 1 };
  const length = HEX_LENGTHS.get(letter);
  if (length === undefined) giveUp();
  const digits = text.slice(at + 1, at + 1 + length);
  if (digits.length !== length || !/^[0-9a-fA-F]+$/.test(digits)) giveUp();
  const code = Number.parseInt(digits, 16);
  if (code >= 0xd800 && code < 0xe000) giveUp();
  return { value: String.fromCharCode(code), end: at + 1 + length };
}
