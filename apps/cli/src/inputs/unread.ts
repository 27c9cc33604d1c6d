// The answer of a command that judged what could be read, with a result for each input that could not: reports say so, and the exit code.

import type { CommandReport, ReportRow } from "../output/answer.ts";
import { EXIT } from "../program/exit.ts";
import { displayName, type SourceIssue } from "../sources/issue.ts";

/** `issues` are those of inputs that could not be read. */
export function withUnread(answer: CommandReport, issues: readonly SourceIssue[]): CommandReport {
  if (issues.length === 0) return answer;
  return {
    ...answer,
    results: {
      *[Symbol.iterator]() {
        yield* answer.results;
        yield* issues.map(resultOf);
      },
    },
    document: { ...answer.document, unread: issues.map(({ lineText: _, ...issue }) => issue) },
    exit: EXIT.usage,
  };
}

function resultOf({ code, file, line, column, message, hint }: SourceIssue): ReportRow {
  return {
    group: displayName(file),
    name: displayName(file),
    level: "error",
    rule: `input/${code}`,
    ruleText: "an input that cannot be read",
    message: hint === undefined ? message : `${message}\n${hint}`,
    ...(line !== undefined && column !== undefined && { place: { file, line, column } }),
    system: "input",
  };
}
