// Issues for people, as the reference shows them:
//
//   ERROR: <input>:1:5: undeclared reference to 'x' (in container '')
//    | 1 + x
//    | ....^

import { utf8Length } from "@celadon/base";
import type { Issue } from "./issue.ts";
import { lineText, positionOf } from "./position.ts";
import type { Source } from "./source.ts";

export { positionOf } from "./position.ts";

/** More are counted, not shown. */
const MAX_SHOWN = 100;
/** Bytes of UTF-8 beyond which a line is not shown. */
const MAX_LINE = 16_384;
/** Characters of all issues together beyond which lines are not shown. The reference has no such limit: a hundred issues of one long line are megabytes. */
const MAX_TEXT = 256 * 1024;

/**
 * All issues, sorted by place; those found after the first hundred are only counted. With `olderPlaces` as releases before cel-go 0.22 show
 * them: the first place of a line is behind the end of the line before, except for mistakes of syntax.
 */
export function displayIssues(issues: readonly Issue[], source: Source, olderPlaces = false): string {
  const find = olderPlaces ? olderPlaceOf : placeOf;
  const shown = issues.slice(0, MAX_SHOWN).map((issue) => ({ issue, place: find(issue, source) }));
  shown.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const lines: string[] = [];
  let length = 0;
  for (const { issue, place } of shown) {
    const line = length < MAX_TEXT ? displayAt(issue, place, source) : headOf(issue, place, source);
    length += line.length;
    lines.push(line);
  }
  if (issues.length > MAX_SHOWN) lines.push(`${issues.length - MAX_SHOWN} more errors were truncated`);
  return lines.join("\n");
}

/** One issue with its line. */
export function displayIssue(issue: Issue, source: Source): string {
  return displayAt(issue, placeOf(issue, source), source);
}

interface Place {
  readonly line: number;
  /** 1-based as shown. */
  readonly column: number;
}

/** Upstream's odd cases: no place at all, and a place in no text. */
function placeOf(issue: Issue, source: Source): Place {
  if (issue.span === undefined) return { line: -1, column: 0 };
  if (source.text === "" || issue.span.at < 0) return { line: 1, column: 0 };
  return positionOf(source, issue.span.at);
}

function olderPlaceOf(issue: Issue, source: Source): Place {
  const place = placeOf(issue, source);
  if (issue.code === "syntax_error") return source.text === "" ? { line: 1, column: 1 } : place;
  if (place.line < 2 || place.column !== 1) return place;
  const before = lineText(source, place.line - 1) ?? "";
  return { line: place.line - 1, column: Array.from(before).length + 2 };
}

function headOf({ severity, message }: Issue, { line, column }: Place, source: Source): string {
  return `${severity === "warning" ? "WARNING" : "ERROR"}: ${source.name}:${line}:${column}: ${message}`;
}

function displayAt(issue: Issue, { line, column }: Place, source: Source): string {
  const head = headOf(issue, { line, column }, source);
  const text = source.text === "" ? undefined : lineText(source, line);
  if (text === undefined || utf8Length(text) > MAX_LINE) return head;
  let marks = "";
  let left = column - 1;
  let under = "^";
  for (const char of text) {
    if (left-- <= 0) {
      under = isWide(char) ? "＾" : "^";
      break;
    }
    marks += isWide(char) ? "．" : ".";
  }
  return `${head}\n | ${text.replaceAll("\t", " ")}\n | ${marks}${under}`;
}

/** Takes more than one byte in UTF-8, which upstream believes to be as wide as two columns. */
const isWide = (char: string): boolean => char.codePointAt(0)! >= 0x80;
