// The report of a command that went on with what could be read, with a result for each input that could not: reports list it, and the exit
// code is 2.

import type { CommandReport, ReportRow } from "../output/answer.ts";
import { piecesOf } from "../output/pieces.ts";
import { EXIT, InputError } from "../program/exit.ts";
import { displayName, type SourceIssue } from "../sources/issue.ts";

export interface UnreadOptions {
  /** The text has nothing but objects for other programs. */
  readonly textIsYaml?: boolean;
}

/** `issues` are those of unreadable inputs. */
export function withUnread(
  answer: CommandReport,
  issues: readonly SourceIssue[],
  { textIsYaml = false }: UnreadOptions = {},
): CommandReport {
  if (issues.length === 0) return answer;
  return {
    ...answer,
    results: {
      *[Symbol.iterator]() {
        yield* answer.results;
        yield* issues.map(resultOf);
      },
    },
    get document() {
      const { document } = answer;
      const unread = issues.map(({ lineText: _, ...issue }) => issue);
      if (!isOurs(document)) return document;
      // The unread resources of an audited cluster have that name already.
      return { ...document, ["unread" in document ? "unreadFiles" : "unread"]: unread };
    },
    // A run that did not look at everything must not look like one that passed.
    text: (paint) =>
      textIsYaml
        ? answer.text(paint)
        : (function* () {
            yield* piecesOf(answer.text(paint));
            yield `${paint.red(`${new InputError(issues).message}: the exit code is ${EXIT.usage}`)}\n`;
          })(),
    exit: EXIT.usage,
  };
}

/** Objects that a command prints are the user's. */
const isOurs = ({ apiVersion }: CommandReport["document"]): boolean => String(apiVersion).startsWith("celadon.dev/");

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
