// Formatting of the expressions in a YAML file of manifests. Everything else stays byte for byte: comments, order, quotes, line ends.
// Before an answer is given, the result is read again: if anything but the expressions came out differently, the change is not made and an
// issue says so. JSON is left alone, as it has no way to write text on several lines.

import { type JsonPath, trimEndOf } from "@celadon/base";
import { formatExpression } from "@celadon/cel/format";
import { type ReadDocument, readDocuments, type TextPosition } from "@celadon/kube/read";
import { expressionsIn } from "@celadon/simulator/manifests";
import { sameExcept } from "./same-except.ts";
import { editScalar, type FormatEdit, marginOf, needsEscapes } from "./scalar-edit.ts";

/** Options for formatting manifests. */
export interface FormatManifestOptions {
  /** The name issues carry. */
  readonly file?: string;
  /** The greatest number of columns of a line of an expression, including its indentation: 80 by default. */
  readonly width?: number;
}

/** Something that was not formatted, and why. */
export interface FormatIssue extends TextPosition {
  /** A note is about something that was left as it is and is not wrong. */
  readonly severity: "error" | "note";
  /** `json`, `left_as_is`, a code of reading, or one of an expression's syntax. */
  readonly code: string;
  readonly message: string;
}

/** A text with its expressions formatted. */
export interface FormattedManifest {
  readonly text: string;
  /** The number of formatted expressions. */
  readonly changed: number;
  /** The replacements in the given text. */
  readonly edits: readonly FormatEdit[];
  readonly issues: readonly FormatIssue[];
}

/** Lines get this much however far in they are. */
const LEAST_WIDTH = 40;

/** Formats the expressions of manifests and leaves the rest as it is. */
export function formatManifestText(text: string, options: FormatManifestOptions = {}): FormattedManifest {
  const { file = "", width = 80 } = options;
  const { documents, issues } = readDocuments(text, { file, duplicateKeys: "warn" });
  const found: FormatIssue[] = issues.map((issue) => ({ severity: "error", ...issue }));
  if (isJson(text)) {
    const hasExpressions = documents.some(({ value }) => expressionsIn(value).length > 0);
    const at: TextPosition = { file, line: 1, column: 1, offset: 0 };
    if (hasExpressions) found.push({ severity: "note", code: "json", message: "JSON is not formatted", ...at });
    return { text, changed: 0, edits: [], issues: found };
  }
  const changes = documents.flatMap((document) => changesIn(text, document, width, found));
  const made = holds(text, documents, changes) ? changes : changes.filter((change) => holds(text, documents, [change]));
  const kept = made.length === changes.length || holds(text, documents, made) ? made : [];
  for (const { document, path } of changes.filter((change) => !kept.includes(change)))
    found.push(leftAsIs(document, path));
  found.sort((a, b) => a.offset - b.offset);
  const edits = distinct(kept.map(({ edit }) => edit));
  return { text: applied(text, kept), changed: kept.length, edits, issues: found };
}

/** Text that is JSON as a whole; flow-style YAML begins alike. */
function isJson(text: string): boolean {
  return (
    /^\ufeff?\s*[{[]/.test(text) && readDocuments(text, { format: "json", duplicateKeys: "warn" }).issues.length === 0
  );
}

interface Change {
  readonly document: ReadDocument;
  readonly path: JsonPath;
  /** The value that the text will be read as. */
  readonly value: string;
  readonly edit: FormatEdit;
}

function changesIn(file: string, document: ReadDocument, width: number, issues: FormatIssue[]): Change[] {
  return expressionsIn(document.value).flatMap(({ path, text }): Change[] => {
    const range = document.rangeOf(path);
    const key = document.positionOf(path, "key");
    if (text.trim() === "" || range === undefined || key === undefined) return [];
    const isBlock = range.style === "literal" || range.style === "folded";
    const margin = (isBlock ? marginOf(file, range) : undefined) ?? key.column + 1;
    const inFlow = path.some((_, depth) => "{[".includes(charAt(file, document, path.slice(0, depth))));
    const isLine = inFlow || (!isBlock && needsEscapes(text));
    const limit = isLine ? Number.POSITIVE_INFINITY : Math.max(LEAST_WIDTH, width - margin);
    const result = formatExpression(text, { width: limit });
    if ("issues" in result) {
      const [first] = result.issues;
      const at = document.positionIn(path, Math.max(0, first?.span?.at ?? 0)) ?? document.positionOf(path) ?? key;
      issues.push({ severity: "error", code: first?.code ?? "", message: first?.message ?? "", ...at });
      return [];
    }
    const ending = isBlock ? text.slice(trimEndOf(text, /\n/).length) : "";
    const value = result.text + ending;
    if (value === text) return [];
    const edit = editScalar(file, { range, margin, inFlow }, result.text);
    if (edit !== undefined) return [{ document, path, value, edit }];
    issues.push(leftAsIs(document, path));
    return [];
  });
}

function charAt(file: string, document: ReadDocument, path: JsonPath): string {
  return file[document.positionOf(path)?.offset ?? -1] ?? " ";
}

function leftAsIs(document: ReadDocument, path: JsonPath): FormatIssue {
  const message = "not formatted: YAML cannot hold the formatted text in this style; write the expression as a block";
  return { severity: "note", code: "left_as_is", message, ...document.positionOf(path)! };
}

/** Read again, the documents differ in these values and in nothing else. */
function holds(text: string, documents: readonly ReadDocument[], changes: readonly Change[]): boolean {
  if (changes.length === 0) return true;
  const after = readDocuments(applied(text, changes), { duplicateKeys: "warn" }).documents;
  return (
    after.length === documents.length &&
    documents.every((document, i) => {
      const own = changes.filter((change) => change.document === document);
      const values = new Map(own.map(({ path, value }) => [JSON.stringify(path), value]));
      return after[i]!.index === document.index && sameExcept(document.value, after[i]!.value, values);
    })
  );
}

/** One place may be the text of several fields, through an alias: it is written once. */
/** In the order of the text. One text that several fields share is replaced once. */
function distinct(edits: readonly FormatEdit[]): readonly FormatEdit[] {
  const byStart = new Map(edits.map((edit) => [edit.start, edit]));
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

function applied(text: string, changes: readonly Change[]): string {
  let made = "";
  let at = 0;
  for (const edit of distinct(changes.map(({ edit }) => edit))) {
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at);
}
