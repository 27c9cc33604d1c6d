// Problems of a suite, as data: place, message, and what to do.

import type { JsonPath } from "@celadon/base";
import type { TextPosition } from "@celadon/kube/read";
import type { Origin } from "@celadon/simulator/manifests";

/** Identifies a problem of a suite, for programs. */
export type SuiteIssueCode =
  | "unknown_field"
  | "wrong_type"
  | "missing_field"
  | "unknown_value"
  | "out_of_range"
  | "not_a_suite"
  | "no_tests"
  | "duplicate_name"
  | "unknown_policy"
  | "unknown_binding"
  | "unknown_object"
  | "unused_resource"
  | "bad_reference"
  | "bad_file"
  | "bad_patch"
  | "bad_pattern"
  | "bad_case"
  | "bad_resource";

/** A problem of a suite, and its place. */
export interface SuiteIssue {
  readonly code: SuiteIssueCode;
  readonly message: string;
  /** Advice for people. */
  readonly hint?: string;
  readonly file: string;
  /** From 1; absent where a file as a whole is meant. */
  readonly line?: number;
  readonly column?: number;
  /** The line, to be shown. */
  readonly lineText?: string;
}

/** The place of a message about a part of a document: at the part, or at the nearest existing part around it. */
export function placeOf(origin: Origin, path: JsonPath, part: "value" | "key" = "value"): TextPosition | undefined {
  for (let length = path.length; length >= 0; length--) {
    const steps = path.slice(0, length);
    const found = (length === path.length && origin.positionOf(steps, part)) || origin.positionOf(steps);
    if (found) return found;
  }
  return undefined;
}

export function issueAt(
  origin: Origin,
  path: JsonPath,
  code: SuiteIssueCode,
  message: string,
  { hint, part }: { readonly hint?: string | undefined; readonly part?: "value" | "key" } = {},
): SuiteIssue {
  return issueAtPlace(origin, placeOf(origin, path, part), code, message, hint);
}

export function issueAtPlace(
  origin: Origin,
  place: TextPosition | undefined,
  code: SuiteIssueCode,
  message: string,
  hint?: string,
): SuiteIssue {
  const lineText = place && origin.lineText(place.line);
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    file: place?.file ?? origin.file,
    ...(place && { line: place.line, column: place.column }),
    ...(lineText !== undefined && { lineText }),
  };
}

/** `tests.yaml:3:5: unknown field "expects"; did you mean "expect"?` */
export function suiteIssueText({ file, line, column, message, hint }: SuiteIssue): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return `${place}: ${message}${hint === undefined ? "" : `; ${hint}`}`;
}
