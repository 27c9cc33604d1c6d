// Places in a text: offsets in UTF-16 units, lines and columns from 1. Lines are found on first use.

/** A place in a file. */
export interface TextPosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** From the start of the text, in UTF-16 units. */
  readonly offset: number;
}

export class LineIndex {
  readonly text: string;
  private readonly file: string;
  private starts: number[] | undefined;

  constructor(text: string, file: string) {
    this.text = text;
    this.file = file;
  }

  at(offset: number): TextPosition {
    this.starts ??= lineStarts(this.text);
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - this.starts[low]! + 1, offset };
  }

  /** A line from 1, without its line end; undefined if the text has no such line. */
  lineText(line: number): string | undefined {
    this.starts ??= lineStarts(this.text);
    const start = this.starts[line - 1];
    if (start === undefined) return undefined;
    const end = (this.starts[line] ?? this.text.length + 1) - 1;
    return this.text.slice(start, this.text[end - 1] === "\r" && end > start ? end - 1 : end);
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
