import { expect, test } from "vitest";
import { addFigures, type Figures } from "./kept-figures.ts";

const part = (seed: number, cases: number, known: Record<string, number>): Figures => ({
  date: `day ${seed}`,
  node: "v20",
  seeds: [seed],
  cases,
  unlisted: 0,
  byKind: { typed: cases },
  byOutcome: { value: cases },
  known,
});

test("parts of a campaign are added up, each seed once", () => {
  const both = addFigures(addFigures(undefined, part(1, 10, { a: 1 })), part(2, 5, { a: 2, b: 1 }));
  expect(both).toEqual({
    date: "day 2",
    node: "v20",
    seeds: [1, 2],
    cases: 15,
    unlisted: 0,
    byKind: { typed: 15 },
    byOutcome: { value: 15 },
    known: { a: 3, b: 1 },
  });
  expect(addFigures(both, part(2, 5, {}))).toBe(both);
});
