// Issues and notes of inputs for people: each with its line and a caret where there is one, and what to do below it.

import { frame } from "../output/frame.ts";
import { type Paint, paintOf } from "../output/paint.ts";
import { oneLine } from "../output/visible.ts";
import { type SourceIssue, type SourceNote, sourceIssueText } from "./issue.ts";

/** Ends with a line feed unless it is empty. */
export function showIssues(issues: readonly SourceIssue[], paint: Paint = paintOf(false)): string {
  return issues.map((issue) => showIssue(issue, paint)).join("");
}

function showIssue(issue: SourceIssue, paint: Paint): string {
  const { file, line, column, lineText, message, hint } = issue;
  const hinted = hint === undefined ? "" : `  ${paint.dim(`help: ${oneLine(hint)}`)}\n`;
  if (line === undefined || column === undefined) return `${sourceIssueText(issue)}\n${hinted}`;
  const text = (number: number): string | undefined => (number === line ? lineText : undefined);
  return frame({ file, line, column, text, message, before: 0, paint }) + hinted;
}

/** One line each; hints on the same line, for notes are many. */
export function showNotes(notes: readonly SourceNote[], paint: Paint = paintOf(false)): string {
  return notes
    .map(
      ({ file, line, column, message, hint }) =>
        `${paint.dim(oneLine(`${file}${line === undefined ? "" : `:${line}:${column}`}: ${message}${hint === undefined ? "" : ` (${hint})`}`))}\n`,
    )
    .join("");
}
