// The same inside a flow collection, `{ apiGroups: [apps], … }` or JSON: brackets, commas and colons up to the cursor say where it is.

import type { JsonPath } from "@celadon/base";
import type { TextRange } from "../text/range.ts";

export interface FlowCursor {
  readonly at: "key" | "value";
  readonly path: JsonPath;
  readonly typed: string;
  readonly range: TextRange;
  readonly hasColon: boolean;
}

interface Open {
  readonly isMap: boolean;
  key: string | undefined;
  index: number;
}

/** From the bracket at `from`; `end` is behind the closing bracket, or the end of the text. */
export function flowCursor(
  text: string,
  from: number,
  offset: number,
): { readonly end: number; readonly cursor: FlowCursor | undefined } {
  const open: Open[] = [];
  let at = from;
  while (at < text.length) {
    const char = text[at]!;
    if (offset <= at && open.length > 0) return { end: at, cursor: cursorAt(open, text, offset, offset, offset) };
    if (char === "{" || char === "[") open.push({ isMap: char === "{", key: undefined, index: 0 });
    else if (char === "}" || char === "]") {
      open.pop();
      if (open.length === 0) return { end: at + 1, cursor: undefined };
    } else if (char === ",") {
      const top = open.at(-1)!;
      top.key = undefined;
      top.index++;
    } else if (char === "#" && /\s/.test(text[at - 1] ?? " ")) {
      at = lineEndOf(text, at);
      if (offset <= at) return { end: at, cursor: undefined };
      continue;
    } else if (!/[\s:]/.test(char)) {
      const end = wordEnd(text, at);
      const after =
        /^\s*:(?=\s|$|["'{[])/.exec(text.slice(end, end + 200)) ??
        (/^["']/.test(char) ? /^\s*:/.exec(text.slice(end, end + 200)) : null);
      if (offset <= end) return { end, cursor: cursorAt(open, text, at, offset, end, after !== null) };
      const top = open.at(-1)!;
      if (top.isMap && top.key === undefined) top.key = unquoted(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
  }
  return {
    end: at,
    cursor: open.length > 0 && offset >= from + 1 ? cursorAt(open, text, offset, offset, offset) : undefined,
  };
}

function cursorAt(
  open: readonly Open[],
  text: string,
  start: number,
  offset: number,
  end: number,
  hasColon = false,
): FlowCursor | undefined {
  const top = open.at(-1);
  if (top === undefined) return undefined;
  const above = open.slice(0, -1).map(({ isMap, key, index }) => (isMap ? (key ?? "") : index));
  const raw = text.slice(start, offset);
  const typed = raw.replace(/^["']/, "");
  const range = { start, end };
  if (top.isMap && top.key === undefined) return { at: "key", path: above, typed, range, hasColon };
  return { at: "value", path: [...above, top.isMap ? top.key! : top.index], typed, range, hasColon: false };
}

function wordEnd(text: string, from: number): number {
  const quote = text[from];
  if (quote === '"' || quote === "'") {
    for (let at = from + 1; at < text.length; at++) {
      if (quote === '"' && text[at] === "\\") at++;
      else if (text[at] === quote && quote === "'" && text[at + 1] === "'") at++;
      else if (text[at] === quote) return at + 1;
    }
    return lineEndOf(text, from);
  }
  let at = from;
  while (
    at < text.length &&
    !/[,[\]{}\r\n]/.test(text[at]!) &&
    !(text[at] === ":" && /[\s,[\]{}]|$/.test(text[at + 1] ?? ""))
  )
    at++;
  while (at > from + 1 && text[at - 1] === " ") at--;
  return at;
}

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}

function lineEndOf(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline;
}
