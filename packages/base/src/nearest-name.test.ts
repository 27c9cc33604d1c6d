import { expect, test } from "vitest";
import { editDistance, nearestName } from "./nearest-name.ts";

// biome-ignore format: one case per line
test.each<[string, string, number]>([
  ["", "", 0], ["a", "", 1], ["replica", "replicas", 1], ["nmae", "name", 1], ["kitten", "sitting", 3], ["ca", "abc", 3],
])("%s and %s", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

test("the nearest of several, if any is near", () => {
  expect(nearestName("Replica", ["replicas", "revision"])).toBe("replicas");
  expect(nearestName("selector", ["template", "strategy"])).toBeUndefined();
});
