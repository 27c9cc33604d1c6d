// The text of a file with its lines. Editors count columns in UTF-16 units, bytes or characters and end a line at \n, \r\n and a
// lone \r; offsets in UTF-16 units are what everything else here uses.

/** The units a client counts columns in, by the protocol's names. */
export type PositionEncoding = "utf-16" | "utf-8" | "utf-32";

/** Lines and columns from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

/** A text with its lines. */
export class SourceText {
  readonly text: string;
  #starts: number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get lineCount(): number {
    return this.#lineStarts().length;
  }

  /** The line that holds an offset, from 0. */
  lineAt(offset: number): number {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  lineStart(line: number): number {
    return this.#lineStarts()[line] ?? this.text.length;
  }

  /** The end of the line's text, before its line end. */
  lineEnd(line: number): number {
    const next = this.#lineStarts()[line + 1];
    if (next === undefined) return this.text.length;
    return this.text[next - 1] === "\n" && this.text[next - 2] === "\r" ? next - 2 : next - 1;
  }

  lineText(line: number): string {
    return this.text.slice(this.lineStart(line), this.lineEnd(line));
  }

  positionAt(offset: number, encoding: PositionEncoding = "utf-16"): LinePosition {
    const inside = Math.max(0, Math.min(offset, this.text.length));
    const line = this.lineAt(inside);
    const start = this.lineStart(line);
    const end = Math.min(inside, Math.max(start, this.lineEnd(line)));
    return { line, character: encoding === "utf-16" ? end - start : unitsOf(this.text, start, end, encoding) };
  }

  /** Columns beyond a line are its end, lines beyond the text its end. */
  offsetAt({ line, character }: LinePosition, encoding: PositionEncoding = "utf-16"): number {
    if (line < 0) return 0;
    if (line >= this.lineCount) return this.text.length;
    const start = this.lineStart(line);
    const end = this.lineEnd(line);
    if (encoding === "utf-16") return Math.max(start, Math.min(start + character, end));
    let at = start;
    for (let left = character; left > 0 && at < end; ) {
      const code = this.text.codePointAt(at)!;
      left -= encoding === "utf-8" ? bytesOf(code) : 1;
      if (left < 0) break;
      at += code > 0xffff ? 2 : 1;
    }
    return Math.min(at, end);
  }

  #lineStarts(): readonly number[] {
    if (this.#starts === undefined) {
      const { text } = this;
      const starts = [0];
      for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
      this.#starts = starts;
    }
    return this.#starts;
  }
}

function unitsOf(text: string, start: number, end: number, encoding: PositionEncoding): number {
  let units = 0;
  for (let at = start; at < end; ) {
    const code = text.codePointAt(at)!;
    units += encoding === "utf-8" ? bytesOf(code) : 1;
    at += code > 0xffff ? 2 : 1;
  }
  return units;
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
