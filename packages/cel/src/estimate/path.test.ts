import { expect, test } from "vitest";
import { Path } from "./path.ts";

const grow = (...steps: string[]) => steps.reduce((path, step) => path.append(step), Path.empty);

test("a path has the steps it was grown by", () => {
  expect(Path.empty.steps()).toEqual([]);
  expect(Path.empty.root).toBeUndefined();
  expect(grow("self", "spec", "@items").steps()).toEqual(["self", "spec", "@items"]);
  expect(Path.of("self").root).toBe("self");
});

// biome-ignore format: one case per line
test.each([
  { length: 0, shares: false }, { length: 1, shares: false }, { length: 2, shares: false }, { length: 3, shares: true },
  { length: 4, shares: false }, { length: 5, shares: true },  { length: 7, shares: true },  { length: 8, shares: false },
])("siblings grown from $length steps share the last one: $shares", ({ length, shares }) => {
  const base = grow(...Array.from({ length }, (_, i) => `s${i}`));
  const first = base.append("@keys");
  const second = base.append("@values");
  expect(second.steps().at(-1)).toBe("@values");
  expect(first.steps().at(-1)).toBe(shares ? "@values" : "@keys");
  expect(base.steps()).toHaveLength(length);
});
