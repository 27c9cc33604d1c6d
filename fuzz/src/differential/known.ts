// Differences that are known, with the reason. Everything else the campaign finds is a bug.

import { type Answer, textOf } from "./answers.ts";
import type { Case } from "./cases.ts";

export interface KnownDifference {
  readonly reason: string;
  /** Whether a difference is of this kind. */
  readonly explains: (given: Case, reference: Answer, ours: Answer) => boolean;
}

export const KNOWN: readonly KnownDifference[] = [
  {
    reason: "the reference panics while it compiles or evaluates, and answers nothing",
    explains: (_, reference) => reference.panic !== undefined,
  },
  {
    reason: "timestamps of more than 2^53 seconds, which only message literals make, are rounded",
    explains: ({ expr }) => /Timestamp\{\??seconds: .*\d{16}/.test(expr),
  },
  {
    reason: "an error names the Go type of a list or map by how it was computed; here lists are one type, and maps are",
    explains: (_, reference, ours) => sameBut(reference, ours, /\*types\.(?:concat|mutable|base)(?:List|Map)/g),
  },
];

/** The same answers once what the pattern matches in error texts is put aside. */
function sameBut(reference: Answer, ours: Answer, pattern: RegExp): boolean {
  const without = (answer: Answer): string =>
    textOf({ ...answer, ...(answer.error !== undefined && { error: answer.error.replaceAll(pattern, "") }) });
  return without(reference) === without(ours);
}
