// Differences that are known, with the reason. Everything else the campaign finds is a bug.

import { type Answer, textOf } from "./answers.ts";
import type { Case } from "./cases.ts";

export interface KnownDifference {
  readonly reason: string;
  /** Whether a difference is of this kind. */
  readonly explains: (given: Case, reference: Answer, ours: Answer) => boolean;
}

/** A timestamp more than 2^53 seconds from 1970. */
const FAR_AWAY = /"-?\d{9,}-\d\d-\d\dT/;

export const KNOWN: readonly KnownDifference[] = [
  {
    reason: "costs beyond 2^53 are rounded",
    explains: (_, reference, ours) =>
      [reference, ours].every(({ cost = 0 }) => cost > Number.MAX_SAFE_INTEGER) &&
      textOf({ ...reference, cost: 0 }) === textOf({ ...ours, cost: 0 }),
  },
  {
    reason: "the reference panics while it compiles or evaluates, and answers nothing",
    explains: (_, reference) => reference.panic !== undefined,
  },
  {
    reason: "timestamps of more than 2^53 seconds, which only message literals make, are rounded",
    explains: ({ expr }, reference, ours) =>
      /Timestamp\{\??seconds: .*\d{16}/.test(expr) ||
      (/Timestamp\{\??seconds:/.test(expr) && FAR_AWAY.test(JSON.stringify([reference.value, ours.value]))),
  },
  {
    reason:
      "before cel-go 0.22 one error of the checker shows an expression and its types as Go prints them: an address, or fields with spaces that vary",
    explains: (_, reference, ours) => withoutShown(reference) === withoutShown(ours),
  },
  {
    reason: "an error names the Go type of a list or map by how it was computed; here lists are one type, and maps are",
    explains: (_, reference, ours) => sameBut(reference, ours, /\*types\.(?:concat|mutable|base)(?:List|Map)/g),
  },
  {
    reason:
      "an error shows untyped data inside a list or map as Go prints it (`map[a:1]`); here it is shown as CEL's (`{a: 1}`)",
    explains: (_, reference, ours) => sameBut(reference, ours, /(?<=from non-optional value ).*/g),
  },
  {
    reason:
      "two reads of a list or map as keys of transformMapEntry are the same key or not by the reference's pointers",
    explains: (_, ...answers) => answers.some(({ error = "" }) => /^insert failed: key [[{]/.test(error)),
  },
];

/** The same answers except for text that the pattern matches in errors. */
function sameBut(reference: Answer, ours: Answer, pattern: RegExp): boolean {
  const without = (answer: Answer): string =>
    textOf({ ...answer, ...(answer.error !== undefined && { error: answer.error.replaceAll(pattern, "") }) });
  return without(reference) === without(ours);
}

function withoutShown(answer: Answer): string {
  const { compileError } = answer;
  if (compileError === undefined) return textOf(answer);
  const shown = /(?<=already exists for expression: ).*/g;
  return textOf({ compileError: compileError.replaceAll(shown, "") });
}
