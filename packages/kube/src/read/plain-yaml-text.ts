// Pieces of the fast YAML reader: giving up, plain scalars, and quoted ones on one line.

import type { ReadSettings } from "./options.ts";
import { scalarValue } from "./yaml-data.ts";
import { resolvePlain } from "./yaml-scalar.ts";

/** The text needs the full parser. */
export class GiveUp extends Error {}

const GIVE_UP = new GiveUp();

export function giveUp(): never {
  throw GIVE_UP;
}

export const LINE_END = 0x0a;
export const SPACE = 0x20;

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

/** What a plain scalar means. */
export function plainValue(text: string, settings: ReadSettings): unknown {
  const value = scalarValue(resolvePlain(text), settings);
  return value === undefined ? giveUp() : value;
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
  ["/", "/"],
  ["\\", "\\"],
]);

/** A scalar in quotes that ends on its line. */
export function readQuoted(text: string, start: number): Piece<string> {
  return text[start] === '"' ? readDouble(text, start) : readSingle(text, start);
}

function readSingle(text: string, start: number): Piece<string> {
  let value = "";
  let from = start + 1;
  for (;;) {
    const end = text.indexOf("'", from);
    if (end === -1) giveUp();
    const part = text.slice(from, end);
    if (part.includes("\n")) giveUp();
    value += part;
    if (text[end + 1] !== "'") return { value, end: end + 1 };
    value += "'";
    from = end + 2;
  }
}

function readDouble(text: string, start: number): Piece<string> {
  let value = "";
  let from = start + 1;
  for (let i = from; ; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x22) return { value: value + text.slice(from, i), end: i + 1 };
    if (unit === LINE_END || i >= text.length) giveUp();
    if (unit !== 0x5c) continue;
    value += text.slice(from, i);
    const piece = readEscape(text, i + 1);
    value += piece.value;
    from = piece.end;
    i = piece.end - 1;
  }
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
