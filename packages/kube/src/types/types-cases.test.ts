// Every recorded object through the types: the same object in the same order, the same error, the same strict findings.

import { expect, test } from "vitest";
import { typeDifference, typesCases } from "./types-cases.testing.ts";

test("recorded objects pass through the types as they did", () => {
  const rows = typesCases();
  expect(rows.length).toBeGreaterThan(1800);
  expect(rows.map(typeDifference).filter((text) => text !== undefined)).toEqual([]);
});
