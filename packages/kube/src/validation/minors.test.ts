// Requests that older and newer servers answer otherwise than the server of the other recordings. If an answer was recorded without its
// causes, the message has all of them. The number of differences is known; another number fails, whether it is greater or smaller.

import { expect, test } from "vitest";
import type { Minor } from "../versions.ts";
import { MINOR_DIFFERENCES, VERDICT_DIFFERENCES } from "./known-differences.testing.ts";
import { type Answer, difference, minorRows, type Row, replay } from "./replay.testing.ts";

const MINORS: readonly Minor[] = ["1.30", "1.32", "1.33", "1.34", "1.35", "1.37"];

test.each(MINORS)("%s", async (minor) => {
  const found: string[] = [];
  const verdicts: string[] = [];
  for (const row of minorRows(minor)) {
    const answer = (await replay(row, undefined, minor))!;
    if (answersDiffer(row, answer)) found.push(row.id);
    if (answer.code < 400 !== row.code < 400) verdicts.push(row.id);
  }
  expect(verdicts.sort()).toEqual(VERDICT_DIFFERENCES[minor] ?? []);
  expect({ [minor]: found.length, first: found.slice(0, 3) }).toMatchObject({ [minor]: MINOR_DIFFERENCES[minor] ?? 0 });
});

/** Answers that were recorded without reason and causes are compared by code, message and warnings. */
function answersDiffer(row: Row, answer: Answer): boolean {
  if (row.causes !== undefined || row.reason !== undefined) return difference(row, answer) !== undefined;
  const { code, message, warnings } = answer;
  return difference(row, { code, message, warnings }) !== undefined;
}
