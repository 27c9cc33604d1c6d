import fc from "fast-check";
import { expect, test } from "vitest";
import { deal, handOf } from "./hand.ts";

// Hands as kube-apiserver deals them.
// biome-ignore format: one case per line
const cases = [
  { schema: "global-default",   flow: "eve",                            queues: 128, size: 6, want: [117, 121, 99, 68, 59, 89] },
  { schema: "service-accounts", flow: "system:serviceaccount:team:bot", queues: 128, size: 6, want: [121, 71, 69, 23, 66, 70] },
  { schema: "system-nodes",     flow: "system:node:a",                  queues: 64,  size: 6, want: [39, 38, 30, 56, 55, 0] },
  { schema: "lists",            flow: "",                               queues: 16,  size: 4, want: [11, 9, 1, 8] },
  { schema: "odd",              flow: "é",                              queues: 8,   size: 8, want: [4, 7, 1, 3, 2, 5, 0, 6] },
  { schema: "one",              flow: "x",                              queues: 1,   size: 1, want: [0] },
];
test.each(cases)("$schema of $flow: $size of $queues", ({ schema, flow, queues, size, want }) => {
  expect(handOf(schema, flow, queues, size)).toEqual(want);
});

test("a hand has different queues that exist", () => {
  const hash = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const deck = fc
    .integer({ min: 1, max: 200 })
    .chain((queues) => fc.tuple(fc.constant(queues), fc.integer({ min: 1, max: Math.min(queues, 8) })));
  fc.assert(
    fc.property(hash, deck, (hash, [queues, size]) => {
      const hand = deal(hash, queues, size);
      expect(new Set(hand).size).toBe(size);
      expect(hand.every((queue) => queue >= 0 && queue < queues)).toBe(true);
    }),
  );
});
