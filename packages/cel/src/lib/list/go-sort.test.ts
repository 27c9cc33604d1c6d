import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { goSort } from "./go-sort.ts";

interface Recorded {
  readonly name: string;
  readonly keys: readonly number[];
  /** The order into which Go's sort.Slice brings the elements. */
  readonly order: readonly number[];
}

const recorded = readFileSync(new URL("../testdata/sort-orders.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);

test.each(recorded)("$name", ({ keys, order }) => {
  const items = keys.map((_, i) => i);
  goSort(items, (a, b) => (keys[a] as number) < (keys[b] as number));
  expect(items).toEqual(order);
});

test("sorts whatever it is given", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 300 }), (keys) => {
      const items = [...keys];
      goSort(items, (a, b) => a < b);
      expect(items).toEqual(keys.toSorted((a, b) => a - b));
    }),
  );
});
