// Lines, columns and offsets of places in a source. The table of lines is computed once per source and kept with it.

import type { Position, Source } from "./source.ts";

export interface LineTable {
  /** UTF-16 offsets at which lines begin; the first is 0. */
  readonly starts: readonly number[];
  /** The same in code points; the very array when the text has no pair of surrogates. */
  readonly codePointStarts: readonly number[];
}

const tables = new WeakMap<Source, LineTable>();

/** Finds the beginnings of the lines of a source. Lines end with `\n` alone, as upstream. */
export function linesOf(source: Source): LineTable {
  let table = tables.get(source);
  if (table === undefined) {
    table = buildTable(source.text);
    tables.set(source, table);
  }
  return table;
}

function buildTable(text: string): LineTable {
  const starts = [0];
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) starts.push(i + 1);
  const plain = !/[\ud800-\udbff][\udc00-\udfff]/.test(text);
  if (plain) return { starts, codePointStarts: starts };
  const codePointStarts: number[] = [];
  let counted = 0;
  for (const [line, start] of starts.entries()) {
    codePointStarts.push(counted);
    counted += codePointsBetween(text, start, starts[line + 1] ?? text.length);
  }
  return { starts, codePointStarts };
}

/** The place at a UTF-16 offset; offsets beyond the text count as its end. */
export function positionOf(source: Source, offset: number): Position {
  const { text } = source;
  const { starts, codePointStarts } = linesOf(source);
  const utf16 = Math.max(0, Math.min(offset, text.length));
  const line = lineAt(starts, utf16);
  const plain = starts === codePointStarts;
  const column = plain ? utf16 - starts[line]! : codePointsBetween(text, starts[line]!, utf16);
  return { line: line + 1, column: column + 1, utf16, codePoint: codePointStarts[line]! + column };
}

/** The UTF-16 offset of a code point, counted from the beginning. */
export function offsetOfCodePoint(source: Source, codePoint: number): number {
  const { text } = source;
  const { starts, codePointStarts } = linesOf(source);
  if (starts === codePointStarts) return Math.min(codePoint, text.length);
  const line = lineAt(codePointStarts, codePoint);
  let offset = starts[line]!;
  for (let left = codePoint - codePointStarts[line]!; left > 0 && offset < text.length; left--) {
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  }
  return offset;
}

/** The text of a line, 1-based, without its end; undefined when there is no such line. */
export function lineText(source: Source, line: number): string | undefined {
  const { starts } = linesOf(source);
  const start = starts[line - 1];
  if (start === undefined) return undefined;
  const next = starts[line];
  return source.text.slice(start, next === undefined ? source.text.length : next - 1);
}

/** The last of `starts` that is not beyond `offset`. */
function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function codePointsBetween(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; count++) i += text.codePointAt(i)! > 0xffff ? 2 : 1;
  return count;
}
