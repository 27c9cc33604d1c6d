// Values put into a YAML or JSON file where a suite expects others. Only their own characters change: comments, order and layout
// of everything else stay. A file is written whole or not at all, and none is written unless all of them can be.

import type { Suite, SuiteEdit } from "@celadon/testing";
import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseAllDocuments,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { writeFiles } from "../output/write.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

export interface SuiteEdits {
  readonly suite: Suite;
  readonly edits: readonly SuiteEdit[];
}

/** The files that were written. */
export async function applyEdits(changes: readonly SuiteEdits[], io: Io): Promise<readonly string[]> {
  const texts = new Map<string, string>();
  for (const { suite, edits } of changes) {
    if (edits.length === 0) continue;
    const { file } = suite.origin;
    if (file === "-") throw new UsageError("standard input cannot be updated", "name the suite's file");
    const text = texts.get(file) ?? new TextDecoder("utf-8", { ignoreBOM: true }).decode(await io.files.read(file));
    texts.set(file, edited(text, suite.origin.positionOf([])?.line ?? 1, edits));
  }
  if (texts.size > 0) await writeFiles(texts, io);
  return [...texts.keys()];
}

/** The text with the edits made in the document that holds the line. */
export function edited(text: string, line: number, edits: readonly SuiteEdit[]): string {
  // Line ends are put back as they were.
  const isWindows = text.includes("\r\n");
  const plain = isWindows ? text.replaceAll("\r\n", "\n") : text;
  const result = edits.reduce((now, edit) => editedOnce(now, line, edit), plain);
  return isWindows ? result.replaceAll("\n", "\r\n") : result;
}

function editedOnce(text: string, line: number, { path, value }: SuiteEdit): string {
  const documents = parseAllDocuments(text);
  const offset = offsetOf(text, line);
  const document = Array.isArray(documents) ? documents.find(({ range }) => range[2] > offset) : undefined;
  const parent = document?.getIn(path.slice(0, -1), true);
  const key = path.at(-1)!;
  if (document !== undefined && key === LAST && isSeq(parent)) return appended(text, parent, value);
  if (document === undefined || !isMap(parent)) throw new Error(`no place for ${path.join(".")}`);
  const old = document.getIn(path, true);
  if (isScalar(old) && old.range) return splice(text, old.range[0], old.range[1], oneLine(value));
  if (isCollection(old) && old.range) {
    const [start, end] = old.range;
    if (old.flow) return splice(text, start, end, oneLine(value));
    return splice(text, start, trimmedEnd(text, start, end), block(value, columnOf(text, start)));
  }
  return inserted(text, parent as YAMLMap, String(key), value);
}

/** As the last step of a path: behind the last element of a list. */
export const LAST = "-";

/** A new element at the end of a list. */
function appended(text: string, list: YAMLSeq, value: unknown): string {
  const [start, end] = list.range!;
  if (list.flow) {
    const close = text.lastIndexOf("]", end - 1);
    const before = text.slice(0, close).trimEnd();
    const comma = list.items.length === 0 || before.endsWith(",") ? "" : ", ";
    return `${before}${comma}${oneLine(value)}${text.slice(before.length)}`;
  }
  const column = columnOf(text, start);
  const at = trimmedEnd(text, start, end);
  return splice(text, at, at, `\n${" ".repeat(column)}- ${block(value, column + 2)}`);
}

/** A new entry at the end of a map. */
function inserted(text: string, map: YAMLMap, key: string, value: unknown): string {
  const [start, end] = map.range!;
  const name = oneLine(key);
  if (map.flow) {
    const close = text.lastIndexOf(text[start] === "{" ? "}" : "]", end - 1);
    const before = text.slice(0, close).trimEnd();
    const space = text.slice(before.length, close);
    const comma = map.items.length === 0 || before.endsWith(",") ? " " : ", ";
    // JSON allows only quotes.
    const isJson = /^\s*\{/.test(text);
    const entry = isJson ? `${JSON.stringify(key)}: ${JSON.stringify(value)}` : `${name}: ${oneLine(value)}`;
    return `${before}${comma}${entry}${space}${text.slice(close)}`;
  }
  const [first] = map.items;
  const column = isPair(first) && isScalar(first.key) && first.key.range ? columnOf(text, first.key.range[0]) : 0;
  const at = trimmedEnd(text, start, end);
  const indent = " ".repeat(column);
  const nested = typeof value === "object" && value !== null;
  const written = nested ? `\n${indent}  ${block(value, column + 2)}` : ` ${oneLine(value)}`;
  return splice(text, at, at, `\n${indent}${name}:${written}`);
}

/** The reader of suites knows the words of YAML 1.1: `yes` needs quotes. */
const WORDS = { version: "1.1", lineWidth: 0, aliasDuplicateObjects: false } as const;

// In a list, so that characters with a meaning there are quoted.
function oneLine(value: unknown): string {
  const text = stringify([value], { ...WORDS, collectionStyle: "flow", blockQuote: false }).trim();
  return text.includes("\n") ? JSON.stringify(value) : text.slice(1, -1).trim();
}

function block(value: unknown, column: number): string {
  return stringify(value, WORDS)
    .trimEnd()
    .replaceAll("\n", `\n${" ".repeat(column)}`);
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** A block ends where the next thing begins; comments and blank lines between are not part of it. */
function trimmedEnd(text: string, start: number, end: number): number {
  let lines = text.slice(start, end).split("\n");
  while (lines.length > 1 && /^\s*(?:#.*)?$/.test(lines.at(-1)!)) lines = lines.slice(0, -1);
  return start + lines.join("\n").trimEnd().length;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function offsetOf(text: string, line: number): number {
  let offset = 0;
  for (let i = 1; i < line; i++) offset = text.indexOf("\n", offset) + 1;
  return offset;
}
