// Problems of a text that was read: data, with the place. Codes are for programs, messages for people.

import type { ReadLimits } from "./options.ts";
import type { LineIndex, TextPosition } from "./position.ts";

/** Identifies a problem of a text, for programs. */
export type ReadIssueCode =
  | "syntax"
  | "duplicate_key"
  | "number_range"
  | "map_key"
  | "merge"
  | "alias"
  | "tag"
  | "comment"
  | "too_large"
  | "too_deep"
  | "too_many_nodes"
  | "too_many_documents";

/** A problem of a text and its place. */
export interface ReadIssue extends TextPosition {
  readonly code: ReadIssueCode;
  readonly message: string;
}

/** Leaves a reader at the first thing wrong; never leaves this directory. */
export class ReadFailure extends Error {
  readonly code: ReadIssueCode;
  readonly offset: number;

  constructor(code: ReadIssueCode, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}

export function issueOf(failure: unknown, lines: LineIndex, base = 0): ReadIssue {
  if (failure instanceof ReadFailure) {
    const offset = Math.min(base + failure.offset, lines.text.length);
    return { code: failure.code, message: failure.message, ...lines.at(offset) };
  }
  // The readers recurse; the engine's stack is the last bound on depth.
  if (failure instanceof RangeError) return { code: "too_deep", message: "nested too deeply", ...lines.at(base) };
  throw failure;
}

export function checkDocuments(index: number, { documents }: ReadLimits, offset: number): void {
  if (index >= documents) throw new ReadFailure("too_many_documents", `more than ${documents} documents`, offset);
}

/** `deploy.yaml:3:5: key "a" already set in map` */
export function readIssueText(issue: ReadIssue): string {
  const place = `${issue.line}:${issue.column}`;
  return `${issue.file === "" ? place : `${issue.file}:${place}`}: ${issue.message}`;
}
