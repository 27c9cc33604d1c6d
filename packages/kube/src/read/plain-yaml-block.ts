// Literal (`|`) and folded (`>`) text for the fast YAML reader.

import { giveUp, LINE_END, type Piece, SPACE } from "./plain-yaml-text.ts";

/** The text below an indicator at the offset, and the start of the line after it; `indent` is that of what it stands in. */
export function readBlockText(text: string, start: number, indent: number): Piece<string> {
  const isFolded = text[start] === ">";
  const mark = text[start + 1];
  const chomp = mark === "-" || mark === "+" ? mark : "";
  const header = start + 1 + chomp.length;
  if (text.charCodeAt(header) !== LINE_END) giveUp();

  const lines: string[] = [];
  let margin = -1;
  let line = header + 1;
  for (;;) {
    const first = skipSpaces(text, line);
    if (first >= text.length) {
      if (first > line) giveUp();
      break;
    }
    const isBlank = text.charCodeAt(first) === LINE_END;
    if (isBlank && first - line > (margin === -1 ? 0 : margin)) giveUp();
    if (!isBlank) {
      if (margin === -1) margin = first - line;
      if (first - line < margin || margin <= indent) break;
    }
    // Text that ends without a line end is for the full parser.
    const end = text.indexOf("\n", first);
    if (end === -1) giveUp();
    lines.push(isBlank ? "" : text.slice(line + margin, end));
    line = end + 1;
  }
  if (margin <= indent) giveUp(); // no text, or none that belongs here
  return { value: joinLines(lines, isFolded, chomp), end: line };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE) at++;
  return at;
}

function joinLines(lines: string[], isFolded: boolean, chomp: string): string {
  let last = lines.length;
  while (last > 0 && lines[last - 1] === "") last--;
  const content = lines.slice(0, last);
  const trailing = lines.length - last;
  const text = isFolded ? fold(content) : content.join("\n");
  if (chomp === "-") return text;
  return `${text}\n${chomp === "+" ? "\n".repeat(trailing) : ""}`;
}

// Lines become words of one line, n empty lines n line ends. Lines that are indented further are for the full parser.
function fold(lines: readonly string[]): string {
  let text = "";
  let blanks = 0;
  for (const [i, line] of lines.entries()) {
    if (line === "") {
      blanks++;
      continue;
    }
    if (line.startsWith(" ") || line.endsWith(" ")) giveUp();
    if (i > blanks || text !== "") text += blanks === 0 ? " " : "\n".repeat(blanks);
    else text += "\n".repeat(blanks);
    text += line;
    blanks = 0;
  }
  return text;
}
