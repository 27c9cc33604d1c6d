// Source text and places in it. Offsets are UTF-16 code units, as JavaScript strings count; lines and columns for people
// count code points, as cel-go does.

/** A range of the source, with the place an error about it points to (an operator's token, a call's parenthesis). */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly at: number;
}

/** A place in a text as people count: lines and columns. */
export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in code points. */
  readonly column: number;
  /** Offsets of the same place from the beginning of the text. */
  readonly utf16: number;
  readonly codePoint: number;
}

/** The text of an expression, and the name that messages give it. */
export interface Source {
  /** Shown in front of line and column: a file's name, or `<input>`. */
  readonly name: string;
  readonly text: string;
}

/** The span of an issue without a node, because a part of the text could not be read: shown as column 0. */
export const BEFORE_TEXT: Span = { start: 0, end: 0, at: -1 };
