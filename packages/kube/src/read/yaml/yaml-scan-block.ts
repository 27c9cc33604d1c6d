// Literal (`|`) and folded (`>`) text.

import { ReadFailure } from "../issue.ts";
import { type Cursor, END, isBlank, isBreak, isBreakOrEnd, isDigit, SPACE, TAB } from "./yaml-cursor.ts";
import type { ScalarToken } from "./yaml-token.ts";

type Chomp = "" | "-" | "+";

/** The text whose indicator is at the cursor; `parentIndent` is the indentation of the block it stands in, -1 outside of any. */
export function scanBlock(cursor: Cursor, parentIndent: number): ScalarToken {
  const start = cursor.at;
  const isLiteral = cursor.text[start] === "|";
  const { chomp, increment } = takeHeader(cursor);
  let end = cursor.at;
  let margin = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  let text = "";
  let lineEnd = "";
  let breaks = takeEmptyLines();
  let wasOpen = false;
  // Lines that are indented further are open: they keep their line ends.
  while (cursor.column === margin && cursor.code() !== END) {
    const isOpen = isBlank(cursor.code());
    const isFolded = !isLiteral && !wasOpen && !isOpen && lineEnd === "\n";
    text += (isFolded ? (breaks === "" ? " " : "") : lineEnd) + breaks;
    wasOpen = isOpen;
    const from = cursor.at;
    cursor.skipLine();
    text += cursor.text.slice(from, cursor.at);
    lineEnd = isBreak(cursor.code()) ? cursor.takeBreak() : "";
    end = cursor.at;
    breaks = takeEmptyLines();
  }
  if (chomp !== "-") text += lineEnd;
  if (chomp === "+") {
    text += breaks;
    if (breaks !== "") end = cursor.lineStart;
  }
  return { type: "scalar", style: isLiteral ? "literal" : "folded", text, start, end };

  /** Past the indentation of the next line with text; the line ends before it. The first such line sets the margin. */
  function takeEmptyLines(): string {
    let found = "";
    let widest = 0;
    for (;;) {
      while ((margin === 0 || cursor.column < margin) && cursor.code() === SPACE) cursor.at++;
      widest = Math.max(widest, cursor.column);
      if ((margin === 0 || cursor.column < margin) && cursor.code() === TAB) {
        throw new ReadFailure("syntax", "a tab in the indentation", cursor.at);
      }
      if (!isBreak(cursor.code())) break;
      found += cursor.takeBreak();
    }
    if (margin === 0) margin = Math.max(widest, parentIndent + 1, 1);
    return found;
  }
}

/** Indicators and a comment, up to the line below. */
function takeHeader(cursor: Cursor): { readonly chomp: Chomp; readonly increment: number } {
  cursor.at++;
  let chomp = takeChomp(cursor);
  const increment = takeIncrement(cursor);
  if (chomp === "" && increment > 0) chomp = takeChomp(cursor);
  cursor.skipBlanks();
  if (cursor.text[cursor.at] === "#") cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) {
    throw new ReadFailure("syntax", "the text of a block scalar begins on the next line", cursor.at);
  }
  if (cursor.code() !== END) cursor.takeBreak();
  return { chomp, increment };
}

function takeChomp(cursor: Cursor): Chomp {
  const sign = cursor.text[cursor.at];
  if (sign !== "-" && sign !== "+") return "";
  cursor.at++;
  return sign;
}

/** The digit that says how much further than its block a text is indented, or 0. */
function takeIncrement(cursor: Cursor): number {
  if (!isDigit(cursor.code())) return 0;
  const increment = cursor.code() - 0x30;
  if (increment === 0) throw new ReadFailure("syntax", "the indentation of a block scalar must be 1 to 9", cursor.at);
  cursor.at++;
  return increment;
}
