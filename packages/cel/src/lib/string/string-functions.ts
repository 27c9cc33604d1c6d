// The computations of the string functions. Offsets and lengths are in code points. Counts that do not fit a JavaScript number are beyond
// every string, so a bigint matters only by its sign.

import { nativeStrings } from "../../value/collection/list.ts";
import { type CelError, celError } from "../../value/error.ts";
import { codePointCount, hasSurrogates, pointsBefore, unitOffset, widthAt } from "../../value/size/measure.ts";
import { grow, growBy, walk, work } from "../../value/size/work.ts";
import { findLastText, findText, splitText } from "../../value/text/text-search.ts";
import type { Int } from "../library.ts";
import { joinTexts } from "./text-limit.ts";

function outOfRange(index: Int): CelError {
  return celError("index_out_of_bounds", `index out of range: ${index}`);
}

/** The UTF-16 offset of a code point offset that is between 0 and the length. */
function offsetIn(s: string, index: Int): number | CelError {
  if (typeof index === "bigint" || index < 0) return outOfRange(index);
  return unitOffset(s, index) ?? outOfRange(index);
}

export function charAt(s: string, index: Int): string | CelError {
  const at = offsetIn(s, index);
  if (typeof at !== "number" || at === s.length) return typeof at === "number" ? "" : at;
  return s.slice(at, at + widthAt(s, at));
}

/** An empty text is found at the offset itself, or at the end; an offset past the end finds nothing else. */
export function indexOf(s: string, searched: string, from: Int = 0): Int | CelError {
  if (from < 0) return outOfRange(from);
  if (searched === "") return clamped(s, from);
  if (typeof from === "bigint") return -1;
  const at = unitOffset(s, from);
  return at === undefined ? -1 : pointOffset(s, findText(s, searched, at));
}

export function lastIndexOf(s: string, searched: string): Int {
  if (searched === "") return codePointCount(s);
  return pointOffset(s, findLastText(s, searched));
}

/** Before cel-go 0.29 an empty text was found at every offset, even beyond the end. */
export const indexOfBefore29 = (s: string, searched: string, from: Int = 0): Int | CelError =>
  searched === "" ? from : indexOf(s, searched, from);
export const lastIndexOfFromBefore29 = (s: string, searched: string, from: Int): Int | CelError =>
  searched === "" ? from : lastIndexOfFrom(s, searched, from);

/** Before cel-go 0.22 every offset had to be inside the text, also the implicit one of a search from the beginning. */
export const indexOfBefore22 = (s: string, searched: string, from: Int = 0): Int | CelError =>
  searched !== "" && from >= codePointCount(s) ? outOfRange(from) : indexOfBefore29(s, searched, from);
export const lastIndexOfFromBefore22 = (s: string, searched: string, from: Int): Int | CelError =>
  searched !== "" && from >= codePointCount(s) ? outOfRange(from) : lastIndexOfFromBefore29(s, searched, from);

/** Before cel-go 0.26 the search in an empty text began before its start. */
export const lastIndexOfBefore26 = (s: string, searched: string): Int | CelError =>
  s === "" && searched !== "" ? outOfRange(-1) : lastIndexOf(s, searched);

/** An offset, or the end of the text if that comes first. */
function clamped(s: string, from: Int): Int {
  const size = codePointCount(s);
  return from > size ? size : from;
}

/** Searches backwards from an offset. Past the end nothing is found, even where a match before it exists. */
export function lastIndexOfFrom(s: string, searched: string, from: Int): Int | CelError {
  if (from < 0) return outOfRange(from);
  if (searched === "") return clamped(s, from);
  if (typeof from === "bigint") return -1;
  const at = unitOffset(s, from);
  return at === undefined || at === s.length ? -1 : pointOffset(s, findLastText(s, searched, at));
}

/** The code point offset of a UTF-16 offset; -1 stays -1. */
function pointOffset(s: string, at: number): number {
  return at <= 0 ? at : pointsBefore(s, at);
}

export function substringFrom(s: string, start: Int): string | CelError {
  const from = offsetIn(s, start);
  return typeof from === "number" ? s.slice(from) : from;
}

export function substring(s: string, start: Int, end: Int): string | CelError {
  if (start > end) {
    return celError("invalid_argument", `invalid substring range. start: ${start}, end: ${end}`);
  }
  const from = offsetIn(s, start);
  if (typeof from !== "number") return from;
  const to = offsetIn(s, end);
  return typeof to === "number" ? s.slice(from, to) : to;
}

const ASCII = /^[\0-\x7f]*$/;
/** Units of a text that are changed at a time. */
const PIECE = 0x1000;

export function lowerAscii(s: string): string {
  grow(s.length);
  return ASCII.test(s) ? s.toLowerCase() : piecewise(s, lowered);
}

export function upperAscii(s: string): string {
  grow(s.length);
  return ASCII.test(s) ? s.toUpperCase() : piecewise(s, uppered);
}

const lowered = (s: string): string => s.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
const uppered = (s: string): string => s.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** A text changed piece by piece, each character by itself: nothing can interrupt a single replacement. */
function piecewise(s: string, changed: (piece: string) => string): string {
  if (s.length <= PIECE) return changed(s);
  let made = "";
  for (let i = 0; i < s.length; i += PIECE) {
    work(PIECE);
    made += changed(s.slice(i, i + PIECE));
  }
  return made;
}

/** At most `count` replacements, all when negative. An empty text is found before every code point and at the end. */
export function replace(s: string, searched: string, replacement: string, count: Int = -1): string | CelError {
  if (count === 0) return s;
  // Parts around n matches are n + 1. Splitting and joining, because replaceAll reads `$` in the replacement.
  const parts = searched === "" ? ["", ...split(s, "", count < 0 ? -1 : count)] : split(s, searched, partsOf(count));
  if (searched === "" && (count < 0 || parts.length <= count)) parts.push("");
  return joinTexts(parts, replacement);
}

const partsOf = (matches: Int): Int => (typeof matches === "number" && matches >= 0 ? matches + 1 : -1);

/** The result of `split` in an expression. */
export function splitNative(s: string, separator: string, limit?: Int): string[] {
  return nativeStrings(split(s, separator, limit));
}

/** At most `limit` parts, the last with the rest; all when negative. An empty separator splits into code points. */
function split(s: string, separator: string, limit: Int = -1): string[] {
  if (limit === 0) return [];
  const most = typeof limit === "number" && limit > 0 ? limit : Number.POSITIVE_INFINITY;
  if (separator === "") return splitPoints(s, most);
  const parts = splitText(s, separator, most);
  growBy(parts.length);
  return parts;
}

function splitPoints(s: string, most: number): string[] {
  growBy(Math.min(s.length, most));
  const parts: string[] = [];
  let from = 0;
  while (from < s.length && parts.length < most - 1) {
    const next = from + widthAt(s, from);
    parts.push(s.slice(from, next));
    from = next;
  }
  if (from < s.length) parts.push(s.slice(from));
  return parts;
}

/** Without white space at both ends, by Unicode's White_Space: JavaScript's trim also takes U+FEFF, and leaves U+0085. */
export function trim(s: string): string {
  let start = 0;
  let end = s.length;
  while (start < end && isSpace(s.charCodeAt(start))) start++;
  while (end > start && isSpace(s.charCodeAt(end - 1))) end--;
  walk(s.length - (end - start));
  return s.slice(start, end);
}

function isSpace(c: number): boolean {
  if (c < 0x80) return c === 0x20 || (c >= 0x09 && c <= 0x0d);
  if (c >= 0x2000 && c <= 0x200a) return true;
  return (
    c === 0x85 ||
    c === 0xa0 ||
    c === 0x1680 ||
    c === 0x2028 ||
    c === 0x2029 ||
    c === 0x202f ||
    c === 0x205f ||
    c === 0x3000
  );
}

export function reverse(s: string): string {
  grow(s.length);
  const reversedPiece = hasSurrogates(s) ? reversedPoints : reversedUnits;
  if (s.length <= PIECE) return reversedPiece(s);
  let reversed = "";
  for (let end = s.length; end > 0; ) {
    work(PIECE);
    const from = Math.max(end - PIECE, 0);
    // A piece does not begin with the second half of a pair.
    const start = from > 0 && widthAt(s, from - 1) === 2 ? from - 1 : from;
    reversed += reversedPiece(s.slice(start, end));
    end = start;
  }
  return reversed;
}

const reversedPoints = (piece: string): string => Array.from(piece).reverse().join("");

function reversedUnits(piece: string): string {
  const units = new Uint16Array(piece.length);
  for (let i = 0; i < units.length; i++) units[i] = piece.charCodeAt(units.length - 1 - i);
  return String.fromCharCode(...units);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the bell has its own escape
const QUOTED = /[\x07\b\f\n\r\t\v\\"]/g;

const QUOTES: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ['"', '\\"'],
]);

/** The text as a CEL literal; only characters with an escape of their own are escaped, and half a surrogate pair is U+FFFD. */
export function quote(s: string): string {
  grow(s.length);
  walk(s.length);
  const escaped = piecewise(s, (piece) => piece.replace(QUOTED, (c) => QUOTES.get(c) as string));
  return `"${hasSurrogates(escaped) ? escaped.replace(/\p{Cs}/gu, "\ufffd") : escaped}"`;
}
