// What is wrong with a text that was read: data, with the place. Codes are for programs, messages for people.

import type { Position } from "./position.ts";

export type ReadIssueCode =
  | "syntax"
  | "duplicate_key"
  | "number_range"
  | "map_key"
  | "merge"
  | "alias"
  | "too_large"
  | "too_deep"
  | "too_many_nodes"
  | "too_many_documents";

export interface ReadIssue extends Position {
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

/** `deploy.yaml:3:5: key "a" already set in map` */
export function readIssueText(issue: ReadIssue): string {
  const place = `${issue.line}:${issue.column}`;
  return `${issue.file === "" ? place : `${issue.file}:${place}`}: ${issue.message}`;
}
