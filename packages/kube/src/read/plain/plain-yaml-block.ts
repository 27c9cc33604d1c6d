// Literal (`|`) and folded (`>`) text for the fast YAML reader.

import { giveUp, LINE_END, type Piece, skipSpaces, TAB } from "./plain-yaml-text.ts";

/** A text, the start of the line after it, and where it ends itself: blank lines below it may not belong to it. */
export interface BlockText extends Piece<string> {
  readonly textEnd: number;
}

/** The text below an indicator at the offset; `indent` is the indentation of its parent. */
export function readBlockText(text: string, start: number, indent: number): BlockText {
  const isFolded = text[start] === ">";
  const mark = text[start + 1];
  const chomp = mark === "-" || mark === "+" ? mark : "";
  const header = start + 1 + chomp.length;
  if (text.charCodeAt(header) !== LINE_END) giveUp();

  const lines: string[] = [];
  let margin = -1;
  let line = header + 1;
  let textEnd = line;
  for (;;) {
    const first = skipSpaces(text, line);
    if (first >= text.length) {
      if (first > line) giveUp();
      break;
    }
    // Spaces beyond the margin are text, also where there is nothing else.
    const isBlank = text.charCodeAt(first) === LINE_END && (margin === -1 || first - line <= margin);
    if (isBlank && margin === -1 && first > line) giveUp();
    if (!isBlank) {
      // The end of the margin is not certain before a tab.
      if (margin === -1 && text.charCodeAt(first) === TAB) giveUp();
      if (margin === -1) margin = first - line;
      if (first - line < margin || margin <= indent) break;
    }
    // Text that ends without a line end is for the complete reader.
    const end = text.indexOf("\n", first);
    if (end === -1) giveUp();
    lines.push(isBlank ? "" : text.slice(line + margin, end));
    line = end + 1;
    if (!isBlank || chomp === "+") textEnd = line;
  }
  if (margin <= indent) giveUp(); // no text, or none that belongs here
  return { value: joinLines(lines, isFolded, chomp), end: line, textEnd };
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

// Lines become words of one line, n empty lines n line ends. Lines that start with a blank keep their line ends.
function fold(lines: readonly string[]): string {
  let text = "";
  let blanks = 0;
  let before: string | undefined;
  for (const line of lines) {
    if (line === "") {
      blanks++;
      continue;
    }
    if (before === undefined) text = "\n".repeat(blanks);
    else if (isOpen(before) || isOpen(line)) text += "\n".repeat(blanks + 1);
    else text += blanks === 0 ? " " : "\n".repeat(blanks);
    text += line;
    before = line;
    blanks = 0;
  }
  return text;
}

function isOpen(line: string): boolean {
  return line.startsWith(" ") || line.startsWith("\t");
}
