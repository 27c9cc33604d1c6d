// Overlapping files of a volume: the same as a comparison of all with all finds, and a bounded list.

import fc from "fast-check";
import { expect, test } from "vitest";
import { FieldPath } from "../../../field-path.ts";
import { MAX_WARNINGS } from "../../../limits.ts";
import { overlappingPaths } from "./overlapping-paths.ts";

const warningsOf = (paths: readonly string[]): string[] => {
  const items = paths.map((path) => ({ key: "k", path }));
  return overlappingPaths([{ name: "v", configMap: { name: "c", items } }], FieldPath.root).map(({ text }) => text);
};
const isWithin = (path: string, other: string): boolean => `${path}/`.startsWith(`${other}/`);
const path = fc
  .array(fc.constantFrom("a", "b", "", ".."), { minLength: 1, maxLength: 4 })
  .map((steps) => steps.join("/"));

test("the same overlaps in the same order", () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 10 }), (paths) => {
      const trimmed = paths.map((text) => text.replace(/\/+$/, "")).filter((text) => text !== "");
      const wanted = trimmed.flatMap((text, i) =>
        trimmed
          .slice(0, i)
          .filter((other) => isWithin(other, text) || isWithin(text, other))
          .map((other) => `volume "v" (ConfigMap "c"): overlapping paths: "${text}" with "${other}"`),
      );
      expect(warningsOf(paths)).toEqual(wanted);
    }),
  );
});

test("equal paths do not make a list that grows with their square", () => {
  expect(warningsOf(Array(100_000).fill("same"))).toHaveLength(MAX_WARNINGS);
});
