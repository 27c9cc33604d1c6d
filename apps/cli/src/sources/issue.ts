// A problem of an input, as data: which file, where in it, what to do. Every issue of a run is reported, and any one of them ends it with
// code 2. A note is for information: something was left out on purpose.

import { type ReadIssue, type TextPosition, yamlHint } from "@celadon/kube/read";
import { oneLine } from "../output/visible.ts";

export type SourceIssueCode =
  | "missing"
  | "dangling"
  | "unreadable"
  | "no_match"
  | "url"
  | "no_input"
  | "empty"
  | "too_large"
  | "binary"
  | "encoding"
  | "syntax"
  | "template"
  | "kustomization"
  | "not_kubernetes"
  | "review"
  | "suite"
  | "not_served"
  | "unknown_webhook"
  | "configuration"
  | "git";

export interface SourceIssue {
  readonly code: SourceIssueCode;
  /** The name of the file as the user would write it; `-` is standard input. */
  readonly file: string;
  /** From 1, with `column`; absent when the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly lineText?: string;
  /** Advice for people. */
  readonly hint?: string;
}

export interface SourceNote {
  readonly file: string;
  /** From 1, with `column`; absent when the whole file is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly hint?: string;
}

/** `deploy.yaml:3:5: mapping values are not allowed here`, without hint and line. */
export function sourceIssueText({ file, line, column, message }: SourceIssue): string {
  return `${line === undefined ? displayName(file) : `${oneLine(file)}:${line}:${column}`}: ${oneLine(message)}`;
}

export const displayName = (file: string): string => (file === STDIN ? "standard input" : oneLine(file));

/** The path that means standard input. */
export const STDIN = "-";

/** An issue at a place of a file with a known text. */
export function placedIssue(
  code: SourceIssueCode,
  position: TextPosition,
  lineText: string | undefined,
  message: string,
  hint?: string,
): SourceIssue {
  const { file, line, column } = position;
  return { code, file, line, column, message, ...(lineText !== undefined && { lineText }), ...(hint && { hint }) };
}

/** A part of a text that does not count, such as the first of two equal keys. */
export function warningNote({ file, line, column, message }: ReadIssue): SourceNote {
  return { file, line, column, message: `warning: ${message}` };
}

/** A text that cannot be read, with what to do where the line shows the mistake. */
export function syntaxIssue(issue: ReadIssue, lineText: string | undefined): SourceIssue {
  return placedIssue(
    "syntax",
    issue,
    lineText,
    issue.message,
    issue.code === "syntax" ? yamlHint(lineText, issue.column) : undefined,
  );
}
