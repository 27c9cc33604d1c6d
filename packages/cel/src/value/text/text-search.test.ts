import fc from "fast-check";
import { expect, test } from "vitest";
import { findLastText, findText, includesText, splitText } from "./text-search.ts";

/** Few letters in long runs: a text that nearly matches everywhere. Long enough for the search of our own. */
const run = fc.tuple(fc.constantFrom("a", "b", "ab", "aab", "é", "😀"), fc.integer({ min: 1, max: 1500 }));
const text = fc
  .array(run, { minLength: 1, maxLength: 5 })
  .map((runs) => runs.map(([unit, n]) => unit.repeat(n)).join(""));

test("finds what JavaScript's own search finds", () => {
  fc.assert(
    fc.property(text, text, fc.nat(), fc.nat(), (whole, other, start, length) => {
      const begin = start % whole.length;
      const inside = whole.slice(begin, begin + 1 + (length % (whole.length - begin)));
      for (const part of [inside, `${inside}a`, `b${inside}`, other]) {
        const from = length % (whole.length + 2);
        expect(findText(whole, part)).toBe(whole.indexOf(part));
        expect(findText(whole, part, from)).toBe(whole.indexOf(part, from));
        expect(findLastText(whole, part)).toBe(whole.lastIndexOf(part));
        expect(findLastText(whole, part, from)).toBe(whole.lastIndexOf(part, from));
        expect(includesText(whole, part)).toBe(whole.includes(part));
        expect(splitText(whole, part, Number.POSITIVE_INFINITY)).toEqual(whole.split(part));
        expect(splitText(whole, part, 2).join(part)).toBe(whole);
      }
    }),
    { numRuns: 40 },
  );
});

test("texts made to be hard take no longer than others", () => {
  const whole = "a".repeat(400_000);
  for (const part of [
    `${"a".repeat(100_000)}b${"a".repeat(100_000)}`,
    `${"a".repeat(200_000)}b`,
    `b${"a".repeat(200_000)}`,
  ]) {
    expect(findText(whole, part)).toBe(-1);
    expect(findLastText(whole, part)).toBe(-1);
    expect(splitText(whole, part, 9)).toEqual([whole]);
  }
});
