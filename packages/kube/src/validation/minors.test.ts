// Requests that older and newer servers answer otherwise than the server of the other recordings, compared whole. Every verdict is the same;
// a difference of texts is listed with a reason, and one that disappears fails until it is removed.

import { expect, test } from "vitest";
import { knownMinorDifferences } from "./known-differences.testing.ts";
import { minorDifference, minorRows, RECORDED_MINORS } from "./minors.testing.ts";
import { replay } from "./replay.testing.ts";

test.each(RECORDED_MINORS)("%s", async (minor) => {
  const found: string[] = [];
  const verdicts: string[] = [];
  for (const row of minorRows(minor)) {
    const answer = (await replay(row, undefined, minor))!;
    if (minorDifference(row, answer) !== undefined) found.push(row.id);
    if (answer.code < 400 !== row.code < 400) verdicts.push(row.id);
  }
  expect(verdicts).toEqual([]);
  expect(found.sort()).toEqual(knownMinorDifferences(minor).sort());
});
