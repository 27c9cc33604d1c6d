// Every recorded request, compared whole: code, reason, message, causes, warnings. A difference is listed with a reason; an unlisted one,
// or a listed one that disappeared, fails. The page of kinds says how many agree.

import { expect, test } from "vitest";
import { isSeenAsRecorded, RECORDED, typeDifference, typesCases } from "../types/types-cases.testing.ts";
import { Agreements } from "./agreement.testing.ts";
import { KNOWN_DIFFERENCES, NOT_COVERED } from "./known-differences.testing.ts";
import { difference, recordedKinds, recordedRows, replay } from "./replay.testing.ts";

const agreements = new Agreements();

test.each(recordedKinds())("%s", async (kind) => {
  const listed = KNOWN_DIFFERENCES[kind] ?? {};
  const found: string[] = [];
  let covered = 0;
  for (const row of recordedRows(kind)) {
    const answer = await replay(row, undefined, RECORDED);
    if (answer === undefined) continue;
    covered++;
    const differs = difference(row, answer);
    if (differs !== undefined) found.push(row.id);
    const name = `${row.apiVersion}/${row.kind}`;
    agreements.add(name, "validation", differs === undefined || differs === "warnings");
    const hasWarnings = row.warnings !== undefined || answer.warnings !== undefined;
    if (hasWarnings) agreements.add(name, "warnings", differs === undefined);
  }
  expect(found.sort()).toEqual(Object.keys(listed).sort());
  expect(covered === 0).toBe(NOT_COVERED.has(kind));
});

test("the page of kinds lists the compared kinds: run npm run docs", async () => {
  for (const row of typesCases()) {
    agreements.add(row.kind, "type", typeDifference(row) === undefined);
    const isSeen = isSeenAsRecorded(row);
    if (isSeen !== undefined) agreements.add(row.kind, "defaults", isSeen);
  }
  await expect(agreements.page()).toMatchFileSnapshot("../../../../docs/reference/built-in-kinds.md");
});
