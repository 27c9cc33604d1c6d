// The parser's errors: a token where none of its kind can stand. The character and its predecessor tell the usual mistake.

import { ReadFailure } from "../issue.ts";
import type { Token } from "./yaml-token.ts";

/** A token where a value should begin; `open` is where the flow collection begins that it is in. */
export function misplaced(text: string, token: Token, last: Token | undefined, open: number | undefined): ReadFailure {
  const quote = openQuote(text, last, token);
  if (quote !== undefined) return quote;
  if (open !== undefined && (endsDocument(token) || isBlockLine(text, open, token))) return unclosed(text, open);
  if (open !== undefined && token.type === "item") {
    return syntax("a - followed by a space begins a list, which cannot stand in brackets; quote it", token);
  }
  if (token.type === "," || token.type === "]" || token.type === "}") return syntax(`unexpected ${token.type}`, token);
  return syntax("a value is missing", token);
}

/** A token where a list or map should go on or end. */
export function missingEnd(text: string, token: Token, last: Token | undefined, kind: "list" | "map"): ReadFailure {
  const quote = openQuote(text, last, token);
  if (quote !== undefined) return quote;
  if (last !== undefined && isOnLineOf(text, last, token)) return trailing(text, token, last);
  if (kind === "list") return syntax("expected another list item or the end of the list; check the indentation", token);
  if (token.type === "item" || token.type === "list-start") {
    return syntax("a list cannot begin here; check the indentation", token);
  }
  return syntax("expected another key, or the end of the map; check the indentation", token);
}

/** A token where the flow collection that begins at the offset should go on with a comma or end. */
export function notInFlow(text: string, token: Token, open: number): ReadFailure {
  if (endsDocument(token) || isBlockLine(text, open, token)) return unclosed(text, open);
  if (isTemplate(text, open)) return template(open);
  return syntax(`expected a comma or ${closing(text, open)}`, token);
}

const endsDocument = ({ type }: Token): boolean =>
  type === "stream-end" || type === "document-start" || type === "document-end";

/** Whether the token is in a later line than the bracket, one that looks like a line of blocks: then the bracket was forgotten. */
function isBlockLine(text: string, open: number, { start }: Token): boolean {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  return lineStart > open && /^ *(?:- |[\w./-]+:(?:\s|$))/.test(text.slice(lineStart, start + 2));
}

function unclosed(text: string, open: number): ReadFailure {
  if (isTemplate(text, open)) return template(open);
  return new ReadFailure("syntax", `missing closing ${closing(text, open)}`, open);
}

const closing = (text: string, open: number): string => (text[open] === "[" ? "]" : "}");

const isTemplate = (text: string, open: number): boolean =>
  text.startsWith("{{", open) || (open > 0 && text.startsWith("{{", open - 1));

function template(open: number): ReadFailure {
  return new ReadFailure("syntax", "{{ }} is a template action, not YAML", open);
}

/** Text behind a value that is complete. */
function trailing(text: string, token: Token, last: Token): ReadFailure {
  if (last.type === "]" || last.type === "}") {
    return syntax(`unexpected text behind the closing ${last.type}; quote the whole value if it is text`, token);
  }
  if (last.type === "scalar" && isQuoted(last)) {
    const mark = text[last.start]!;
    return syntax(
      `unexpected text behind the closing ${mark}; quote the whole value, or escape the quote in it`,
      token,
    );
  }
  return syntax("unexpected text behind a value", token);
}

/** A text in quotes that went on over lines, and that something follows in its last line: its quote was closed by the next one. */
function openQuote(text: string, last: Token | undefined, token: Token): ReadFailure | undefined {
  if (last?.type !== "scalar" || !isQuoted(last) || !isOnLineOf(text, last, token)) return undefined;
  if (!text.slice(last.start, last.end).includes("\n")) return undefined;
  const message = `missing closing ${last.style === "single" ? "single" : "double"} quote`;
  return new ReadFailure("syntax", message, last.start);
}

const isQuoted = ({ style }: Extract<Token, { type: "scalar" }>): boolean => style === "single" || style === "double";

function isOnLineOf(text: string, last: Token, { start, type }: Token): boolean {
  return (
    type !== "block-end" &&
    type !== "stream-end" &&
    last.type !== "block-end" &&
    !text.slice(last.end, start).includes("\n")
  );
}

function syntax(message: string, { start }: Token): ReadFailure {
  return new ReadFailure("syntax", message, start);
}
