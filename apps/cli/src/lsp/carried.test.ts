import type { Diagnostic } from "@celadon/language";
import { expect, test } from "vitest";
import { carried } from "./carried.ts";

const at = (start: number, end: number): Diagnostic => ({
  code: "denied",
  severity: "error",
  range: { start, end },
  message: "no",
  source: "verdict",
});

// biome-ignore format: one edit per line
const cases = [
  { title: "the same text",        before: "a: 1\nb: 2",  after: "a: 1\nb: 2",     range: [5, 6], want: [5, 6] },
  { title: "an edit behind it",    before: "a: 1\nb: 2",  after: "a: 1\nb: 234",   range: [0, 1], want: [0, 1] },
  { title: "an edit before it",    before: "a: 1\nb: 2",  after: "a: 1000\nb: 2",  range: [5, 6], want: [8, 9] },
  { title: "a deletion before it", before: "a: 100\nb: 2", after: "a: 1\nb: 2",    range: [7, 8], want: [5, 6] },
  { title: "an edit inside",       before: "name: abc",   after: "name: axc",      range: [6, 9], want: undefined },
];
test.each(cases)("$title", ({ before, after, range: [start = 0, end = 0], want }) => {
  const moved = carried([at(start, end)], before, after).map(({ range }) => [range.start, range.end]);
  expect(moved).toEqual(want === undefined ? [] : [want]);
});
