// An expression as a block: where YAML reads part of it as something else, or on request.

import { trimEndOf } from "@celadon/base";
import { cursorAt } from "../cursor/expression-at.ts";
import { yamlCursor } from "../cursor/yaml-cursor.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { File } from "../document/file.ts";
import { siteSystem } from "../expression/sites.ts";
import { lineEnd, type TextRange } from "../text/range.ts";
import type { Action } from "./action.ts";

const YAML_CODES: ReadonlySet<string> = new Set([
  "yaml_comment",
  "comment_in_folded_text",
  "syntax",
  "unreadable",
  "compile_error",
]);

export function blockActions(file: File, range: TextRange, diagnostics: readonly Diagnostic[]): Action[] {
  const wrong = diagnostics.filter(({ code }) => YAML_CODES.has(code));
  const found = blockAt(file, range.start, wrong);
  if (found === undefined) return [];
  const isFix = wrong.some(({ code }) => code !== "compile_error");
  const kind = isFix ? "quickfix" : "refactor.rewrite";
  return [{ title: "Write the expression as a block", kind, edits: new Map([[file.uri, [found]]]), fixes: wrong }];
}

/** With the anchor of its value, which stays before a block; a tag may be what YAML made of a `!` of the expression. */
const KEY = /^( *(?:- +)*)(expression|messageExpression|valueExpression|rule): +(?:&[^\s,[\]{}]+ +)?(?=\S)/;

function blockAt(
  file: File,
  offset: number,
  wrong: readonly Diagnostic[],
): { range: TextRange; text: string } | undefined {
  const { part, start } = file.partAt(offset);
  const { text } = part;
  const line = text.lastIndexOf("\n", offset - start - 1) + 1;
  const end = lineEnd(text, line);
  const key = KEY.exec(text.slice(line, end));
  if (key === null) return folded(file, offset, wrong);
  const at = line + key[0].length;
  if (/^[|>]/.test(text.slice(at))) return folded(file, offset, wrong);
  const found = cursorAt(file, start + at);
  // A value that goes over several lines is used as it is read; on one line, as it is written: a comment may be part of it.
  const { expression } = found;
  const isOneLine = expression === undefined || expression.scalar.range.end - start <= end;
  const raw = text.slice(at, end).trimEnd();
  const isComment = wrong.some(({ code }) => code === "yaml_comment");
  const isQuoted =
    expression !== undefined && (expression.scalar.style === "single" || expression.scalar.style === "double");
  const content =
    expression !== undefined && (!isOneLine || isQuoted || (raw.includes(" #") && !isComment))
      ? expression.scalar.text
      : raw;
  if (content.trim() === "" || !isExpressionKey(file, at + start)) return undefined;
  const stop =
    expression !== undefined && (!isOneLine || isQuoted) ? expression.scalar.range.end : start + at + raw.length;
  return { range: { start: start + at, end: stop }, text: block(content, key[1]!.length, file.text) };
}

/** A folded block with a comment in it: its lines as they stand. */
function folded(
  file: File,
  offset: number,
  wrong: readonly Diagnostic[],
): { range: TextRange; text: string } | undefined {
  if (!wrong.some(({ code }) => code === "comment_in_folded_text")) return undefined;
  const scalar = cursorAt(file, offset).expression?.scalar;
  if (scalar?.style !== "folded") return undefined;
  return { range: { start: scalar.range.start, end: scalar.range.start + 1 }, text: "|" };
}

/** By the path alone: the document may be broken right here. */
function isExpressionKey(file: File, offset: number): boolean {
  const { part, start } = file.partAt(offset);
  const cursor = yamlCursor(part.text, offset - start);
  const object = cursorAt(file, offset).object;
  return cursor !== undefined && object !== undefined && siteSystem(object, cursor.path) !== undefined;
}

function block(text: string, indent: number, whole: string): string {
  const newline = whole.includes("\r\n") ? "\r\n" : "\n";
  const margin = " ".repeat(indent + 2);
  const lines = trimEndOf(text, /\n/).split("\n");
  return `|-${newline}${lines.map((line) => (line === "" ? "" : margin + line)).join(newline)}`;
}
