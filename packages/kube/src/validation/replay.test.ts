// Every recorded request, compared whole: code, reason, message, causes, warnings. What differs is listed with a reason; one that
// is not listed, or that is and no longer differs, fails.

import { expect, test } from "vitest";
import { KNOWN_DIFFERENCES, NOT_COVERED } from "./known-differences.testing.ts";
import { difference, recordedKinds, recordedRows, replay } from "./replay.testing.ts";

test.each(recordedKinds())(
  "%s",
  async (kind) => {
    const listed = KNOWN_DIFFERENCES[kind] ?? {};
    const found: string[] = [];
    let covered = 0;
    for (const row of recordedRows(kind)) {
      const answer = await replay(row);
      if (answer === undefined) continue;
      covered++;
      if (difference(row, answer) !== undefined) found.push(row.id);
    }
    expect(found.sort()).toEqual(Object.keys(listed).sort());
    expect(covered === 0).toBe(NOT_COVERED.has(kind));
  },
  60_000,
);
