import { expect, test } from "vitest";
import { ageOf, builtinColumns, customColumns } from "./columns.ts";

const NOW = Date.parse("2026-01-10T00:00:00Z");

test("ages are short", () => {
  const cases = [
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [200, "3m20s"],
    [700, "11m"],
    [18_120, "5h2m"],
    [90_000, "25h"],
    [260_000, "3d"],
    [900_000, "10d"],
  ] as const;
  for (const [seconds, want] of cases) expect(ageOf(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(want);
  expect(ageOf(undefined, NOW)).toBe("<unknown>");
});

test("columns of built-in kinds and of definitions", () => {
  const deployment = {
    metadata: { name: "web", creationTimestamp: "2026-01-09T00:00:00Z" },
    spec: { replicas: 3 },
    status: { readyReplicas: 2 },
  };
  const columns = builtinColumns("apps/v1", "Deployment");
  expect(columns.definitions.map(({ name }) => name)).toEqual(["Name", "Ready", "Up-to-date", "Available", "Age"]);
  expect(columns.cells(deployment, NOW)).toEqual(["web", "2/3", 0, 0, "24h"]);
  const custom = customColumns([
    { name: "Size", type: "integer", jsonPath: ".spec.size" },
    { name: "Since", type: "date", jsonPath: ".metadata.creationTimestamp" },
    { name: "None", type: "string", jsonPath: ".spec['x']" },
  ]);
  expect(custom.cells({ ...deployment, spec: { size: 4 } }, NOW)).toEqual(["web", 4, "24h", null]);
  expect(customColumns(undefined).definitions.map(({ name }) => name)).toEqual(["Name", "Age"]);
});
