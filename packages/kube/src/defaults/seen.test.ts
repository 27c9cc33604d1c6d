// Recorded objects as admission was given them: through their type, with defaults, through the internal version.

import { expect, test } from "vitest";
import { isSeenAsRecorded, typesCases } from "../types/types-cases.testing.ts";

test("recorded objects are seen as they were", () => {
  const rows = typesCases();
  expect(rows.filter((row) => isSeenAsRecorded(row) === false).map(({ id }) => id)).toEqual([]);
});
