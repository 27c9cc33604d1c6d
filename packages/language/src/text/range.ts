// Places in a file: offsets in UTF-16 units, the one unit used inside this package. The code that shows them converts at the edge.

/** From an offset to before another. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A place in a file. */
export interface Location {
  readonly uri: string;
  readonly range: TextRange;
}

/** A replacement of one stretch of a file. */
export interface TextEdit {
  readonly range: TextRange;
  readonly text: string;
}

/** The end counts: a cursor behind a word is at the word. */
export function touches({ start, end }: TextRange, offset: number): boolean {
  return start <= offset && offset <= end;
}

export function shifted({ start, end }: TextRange, by: number): TextRange {
  return { start: start + by, end: end + by };
}

/** The end of the line that has an offset, before its line end. */
export function lineEnd(text: string, offset: number): number {
  const found = /[\r\n]/.exec(text.slice(offset, offset + LONG_LINE));
  if (found !== null) return offset + found.index;
  const newline = text.indexOf("\n", offset);
  return newline === -1 ? text.length : newline;
}

const LONG_LINE = 500;
