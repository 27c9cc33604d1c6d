// The text of one file. Documents are read from slices of it; this turns their offsets back into lines of the file. Lines are
// found when first needed, which for most files is never.

import type { TextPosition } from "@celadon/kube/read";

export class SourceText {
  readonly file: string;
  readonly text: string;
  private starts: Uint32Array | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The place of an offset in UTF-16 units. */
  at(offset: number): TextPosition {
    const starts = this.lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - starts[low]! + 1, offset };
  }

  /** A line without its end; lines count from 1. */
  lineText(line: number): string | undefined {
    const starts = this.lineStarts();
    const start = starts[line - 1];
    if (start === undefined) return undefined;
    const next = starts[line];
    const text = this.text.slice(start, next === undefined ? undefined : next - 1);
    return text.endsWith("\r") ? text.slice(0, -1) : text;
  }

  /** The line of the user's file for a line of this text: the same line, unless a program made the text from that file. */
  lineAt(line: number): number {
    return line;
  }

  private lineStarts(): Uint32Array {
    this.starts ??= findLines(this.text);
    return this.starts;
  }
}

/** Counted first: a dump of a cluster has millions of lines. */
function findLines(text: string): Uint32Array {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  const starts = new Uint32Array(lines);
  for (let line = 1, at = 0; line < lines; line++) {
    at = text.indexOf("\n", at) + 1;
    starts[line] = at;
  }
  return starts;
}
