import fc from "fast-check";
import { expect, test } from "vitest";
import { NodeTable } from "./node-table.ts";

const ids = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: 0, max: 5000 }),
  fc.constantFrom(-1, 0.5, 2 ** 31, 2 ** 53, Number.NaN),
);

test("behaves as a map, whatever the numbers", () => {
  fc.assert(
    fc.property(fc.array(ids), (sequence) => {
      const table = new NodeTable<{ turn: number }>();
      const model = new Map<number, { turn: number }>();
      sequence.forEach((id, turn) => {
        table.set(id, { turn });
        model.set(id, { turn });
      });
      expect(table.size).toBe(model.size);
      for (const id of [...sequence, 41, -2, 1.5]) {
        expect(table.get(id)).toEqual(model.get(id));
        expect(table.has(id)).toBe(model.has(id));
      }
      expect(new Map(table)).toEqual(model);
      expect(new Set(table.keys())).toEqual(new Set(model.keys()));
      expect([...table.values()]).toHaveLength(model.size);
    }),
  );
});
