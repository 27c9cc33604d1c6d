// The report of a command that found nothing to look at. It must not look like one that looked and found nothing wrong.

import type { CommandReport } from "../output/answer.ts";
import { piecesOf } from "../output/pieces.ts";
import { EXIT } from "../program/exit.ts";

export interface NothingJudged {
  /** Such as `nothing to check: no objects in the inputs`. */
  readonly message: string;
  readonly hint?: string;
}

/** The report with a result that says so, and code 2. */
export function withNothingJudged(answer: CommandReport, { message, hint }: NothingJudged): CommandReport {
  const help = hint === undefined ? "" : `  help: ${hint}\n`;
  return {
    ...answer,
    results: {
      *[Symbol.iterator]() {
        yield* answer.results;
        yield {
          group: "inputs",
          name: "inputs",
          level: "error" as const,
          rule: "input/nothing",
          ruleText: "inputs without anything to look at",
          message,
          ...(hint !== undefined && { detail: `help: ${hint}` }),
          system: "input",
        };
      },
    },
    text: (paint) =>
      (function* () {
        yield* piecesOf(answer.text(paint));
        yield `${paint.red(message)}\n${help}`;
      })(),
    exit: EXIT.usage,
  };
}
