// Plain scalars: text without quotes, over any number of lines that are indented enough.

import { ReadFailure } from "../issue.ts";
import { type Cursor, isBlank, isBlankOrEnd, isBreak, TAB } from "./yaml-cursor.ts";
import { foldBreaks } from "./yaml-fold.ts";
import type { ScalarToken } from "./yaml-token.ts";

const HASH = 0x23;
const COLON = 0x3a;
/** The characters that end a plain scalar in a flow collection. The `?` of an address is among them. */
const FLOW_ENDS: ReadonlySet<number> = new Set([...",?[]{}"].map((char) => char.charCodeAt(0)));

export interface PlainScalar {
  readonly token: ScalarToken;
  /** The cursor is in a later line than the one where the scalar ends. */
  readonly endedLine: boolean;
}

/** The scalar at the cursor; lines that go on with it have at least `indent` spaces, except in a flow collection. */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean): PlainScalar {
  const start = cursor.at;
  let end = start;
  let text = "";
  let endedLine = false;
  /** The text between the last word and the next: blanks, or what line ends are folded to. */
  let between = "";
  while (!cursor.isAtMarker() && cursor.code() !== HASH) {
    const word = takeWord();
    if (word !== "") {
      text += between + word;
      between = "";
      endedLine = false;
      end = cursor.at;
    }
    const unit = cursor.code();
    if (!isBlank(unit) && !isBreak(unit)) break;
    takeBetween();
    if (!inFlow && cursor.column < indent) break;
  }
  return { token: { type: "scalar", style: "plain", text, start, end }, endedLine };

  function takeWord(): string {
    const from = cursor.at;
    for (;;) {
      const unit = cursor.code();
      if (isBlankOrEnd(unit)) break;
      if (unit === COLON && isBlankOrEnd(cursor.code(1))) break;
      if (inFlow && FLOW_ENDS.has(unit)) break;
      cursor.at++;
    }
    return cursor.text.slice(from, cursor.at);
  }

  function takeBetween(): void {
    const from = cursor.at;
    let first = "";
    let others = "";
    for (;;) {
      const unit = cursor.code();
      if (isBlank(unit)) {
        if (first !== "" && unit === TAB && cursor.column < indent) throw tabbed(cursor.at);
        cursor.at++;
      } else if (!isBreak(unit)) break;
      else if (first === "") first = cursor.takeBreak();
      else others += cursor.takeBreak();
    }
    if (first !== "") endedLine = true;
    between = first === "" ? cursor.text.slice(from, cursor.at) : foldBreaks(first, others);
  }
}

function tabbed(at: number): ReadFailure {
  return new ReadFailure("syntax", "a tab in the indentation", at);
}
