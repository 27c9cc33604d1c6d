// From a scalar's decoded text back to the text it is written as: each UTF-16 unit of the value has a place in the file.
// The scalar is decoded again, by the same rules as the readers', noting where every piece comes from. A caller checks
// that the text is the value's: then the places are right too.

import type { ScalarRange } from "./scalar-style.ts";

/** A decoded text, piece by piece. */
export class ScalarPlaces {
  text = "";
  private readonly starts: number[] = [];
  private readonly sources: number[] = [];
  private end: number;

  constructor(end: number) {
    this.end = end;
  }

  /** Units that stand in the source as they are. */
  copy(source: string, from: number, to: number): void {
    if (from === to) return;
    this.add(source.slice(from, to), from);
    this.end = to;
  }

  /** Text that is written some other way, from the offset on. */
  add(text: string, from: number): void {
    this.starts.push(this.text.length);
    this.sources.push(from);
    this.text += text;
  }

  /** The end of the part added last. */
  endAt(offset: number): void {
    this.end = offset;
  }

  /** The place of a unit of the text; for the text's length, the place behind it. */
  sourceOf(offset: number, source: string): number | undefined {
    if (offset < 0 || offset > this.text.length) return undefined;
    if (offset === this.text.length) return this.end;
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    const from = this.sources[low]!;
    const into = offset - this.starts[low]!;
    // A piece with several units is a copy, or a character beyond 16 bits written as one escape.
    return source[from] === this.text[this.starts[low]!] ? from + into : from;
  }
}

/** Decodes a scalar that was read as `value`; undefined if it cannot be traced (a tag changed it). */
export function traceScalar(source: string, range: ScalarRange, value: string): ScalarPlaces | undefined {
  if (range.style === "literal" || range.style === "folded") return traceBlock(source, range, value);
  // JSON knows one line end less: a NEL or a separator of Unicode is a character of its strings.
  return [true, false].map((isYaml) => traceFlow(source, range, isYaml)).find(({ text }) => wellFormed(text) === value);
}

/** Lone surrogates are read as U+FFFD, one for one. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, "\ufffd");

const SIMPLE: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\u0085",
  _: "\u00a0",
  L: "\u2028",
  P: "\u2029",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Plain and quoted scalars: further lines are folded, quotes and backslashes escape. */
function traceFlow(source: string, { start, end, style }: ScalarRange, isYaml: boolean): ScalarPlaces {
  const isQuoted = style !== "plain";
  const last = isQuoted ? end - 1 : end;
  let at = isQuoted ? start + 1 : start;
  const places = new ScalarPlaces(at);
  while (at < last) {
    const char = source[at]!;
    const blanks = skipBlanks(source, at, last);
    if (isLineEnd(source, blanks) && isYaml) at = traceFold(places, source, at, blanks, last);
    else if (blanks > at) {
      places.copy(source, at, blanks);
      at = blanks;
    } else if (style === "single" && char === "'") {
      places.add("'", at);
      at += 2;
      places.endAt(at);
    } else if (style === "double" && char === "\\") at = traceEscape(places, source, at, last);
    else {
      const next = nextSpecial(source, at + 1, last, style);
      places.copy(source, at, next);
      at = next;
    }
  }
  return places;
}

function nextSpecial(source: string, from: number, last: number, style: string): number {
  let at = from;
  while (at < last) {
    const char = source[at]!;
    if (char === " " || char === "\t" || isLineEnd(source, at)) return at;
    if ((char === "'" && style === "single") || (char === "\\" && style === "double")) return at;
    at++;
  }
  return at;
}

// The line end and the lines after it that are blank: one space, or a line end for each of those. Separators of Unicode remain.
function traceFold(places: ScalarPlaces, source: string, from: number, lineEnd: number, last: number): number {
  const first = breakText(source, lineEnd);
  if (first !== "\n") places.add(first, lineEnd);
  let at = pastLineEnd(source, lineEnd);
  let isFolded = first === "\n";
  for (;;) {
    const blanks = skipBlanks(source, at, last);
    if (blanks >= last || !isLineEnd(source, blanks)) {
      if (isFolded) places.add(" ", from);
      places.endAt(blanks);
      return blanks;
    }
    places.add(breakText(source, blanks), blanks);
    isFolded = false;
    at = pastLineEnd(source, blanks);
  }
}

function traceEscape(places: ScalarPlaces, source: string, at: number, last: number): number {
  if (isLineEnd(source, at + 1)) return skipBlanks(source, pastLineEnd(source, at + 1), last);
  const letter = source[at + 1] ?? "";
  const digits = HEX_DIGITS[letter] ?? 0;
  const code = Number.parseInt(source.slice(at + 2, at + 2 + digits), 16);
  const isCode = digits > 0 && code <= 0x10ffff;
  places.add(isCode ? String.fromCodePoint(code) : (SIMPLE[letter] ?? letter), at);
  places.endAt(at + 2 + digits);
  return at + 2 + digits;
}

/** Literal and folded text. With an indentation indicator the margin is not visible: the one that gives the value is right. */
function traceBlock(source: string, range: ScalarRange, value: string): ScalarPlaces | undefined {
  const headerEnd = nextLineEnd(source, range.start, range.end);
  if (headerEnd === range.end) return value === "" ? new ScalarPlaces(range.end) : undefined;
  const header = source.slice(range.start, headerEnd);
  const lines = linesOf(source, pastLineEnd(source, headerEnd), range.end);
  const first = lines.find((line) => line.first < line.end);
  if (first === undefined && /^\n*$/.test(value)) return traceBlank(lines, range.end, value);
  const widest =
    first === undefined
      ? lines.reduce((most, line) => Math.max(most, line.end - line.start), 0)
      : first.first - first.start;
  const narrowest = /^[|>][-+]?[1-9]/.test(header) ? 0 : widest;
  for (let margin = widest; margin >= narrowest; margin--) {
    const places = traceLines(source, lines, margin, range, header);
    if (places.text === value) return places;
  }
  return undefined;
}

/** Lines of spaces alone are blank, also long ones; the last line of the text counts too if it is the only one. */
function traceBlank(lines: readonly Line[], end: number, value: string): ScalarPlaces {
  const places = new ScalarPlaces(lines[0]?.start ?? end);
  for (let i = 0; i < value.length; i++) places.add("\n", lines[i]?.end ?? end);
  if (value !== "") places.endAt(end);
  return places;
}

interface Line {
  readonly start: number;
  /** The first character that is no space. */
  readonly first: number;
  /** The end of the text, without the line end. */
  readonly end: number;
  /** The line end as it is in a text; empty for the last line of a file without one. */
  readonly mark: string;
}

function linesOf(source: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  for (let start = from; start < to; ) {
    const end = nextLineEnd(source, start, to);
    let first = start;
    while (first < end && source[first] === " ") first++;
    lines.push({ start, first, end, mark: end < to ? breakText(source, end) : "" });
    start = end < to ? pastLineEnd(source, end) : to;
  }
  return lines;
}

function traceLines(
  source: string,
  lines: readonly Line[],
  margin: number,
  { end, style }: ScalarRange,
  header: string,
): ScalarPlaces {
  const places = new ScalarPlaces(lines[0]?.start ?? end);
  const isEmpty = (line: Line): boolean => line.end <= line.start + margin;
  let last = lines.length;
  while (last > 0 && isEmpty(lines[last - 1]!)) last--;
  let before: Line | undefined;
  let gap: Line[] = [];
  for (const line of lines.slice(0, last)) {
    if (isEmpty(line)) {
      gap.push(line);
      continue;
    }
    const from = line.start + margin;
    const isOpen = (item: Line): boolean => " \t".includes(source[item.start + margin]!);
    if (before === undefined) for (const item of gap) places.add(item.mark, item.end);
    else if (style === "literal" || isOpen(before) || isOpen(line) || before.mark !== "\n") {
      for (const item of [before, ...gap]) places.add(item.mark, item.end);
    } else if (gap.length === 0) places.add(" ", before.end);
    else for (const item of gap) places.add(item.mark, item.end);
    places.copy(source, from, line.end);
    before = line;
    gap = [];
  }
  const chomp = /[-+]/.exec(header)?.[0];
  const ending = [...(before === undefined ? [] : [before]), ...(chomp === "+" ? lines.slice(last) : [])];
  if (chomp === "-" || (before === undefined && chomp !== "+")) return places;
  // kubectl ends the last line of a file that does not.
  for (const { mark, end: at } of ending) places.add(mark === "" ? "\n" : mark, Math.min(at, end));
  places.endAt(end);
  return places;
}

function skipBlanks(source: string, from: number, last: number): number {
  let at = from;
  while (at < last && (source[at] === " " || source[at] === "\t")) at++;
  return at;
}

const LINE_END = /[\n\r\u0085\u2028\u2029]/g;

/** The end of the line that has the offset, or `last`. */
function nextLineEnd(source: string, from: number, last: number): number {
  LINE_END.lastIndex = from;
  return Math.min(LINE_END.exec(source)?.index ?? last, last);
}

function isLineEnd(source: string, at: number): boolean {
  return "\n\r\u0085\u2028\u2029".includes(source[at] ?? "none");
}

function breakText(source: string, at: number): string {
  const char = source[at]!;
  return char === "\u2028" || char === "\u2029" ? char : "\n";
}

function pastLineEnd(source: string, at: number): number {
  return source[at] === "\r" && source[at + 1] === "\n" ? at + 2 : at + 1;
}
