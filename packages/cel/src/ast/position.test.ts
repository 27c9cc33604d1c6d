import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf, lineText, offsetOfCodePoint, positionOf } from "./position.ts";

const source = (text: string) => ({ name: "<input>", text });

// biome-ignore format: one case per line
const cases = [
  { text: "abc",      offset: 0, want: { line: 1, column: 1, utf16: 0, codePoint: 0 } },
  { text: "abc",      offset: 3, want: { line: 1, column: 4, utf16: 3, codePoint: 3 } },
  { text: "abc",      offset: 9, want: { line: 1, column: 4, utf16: 3, codePoint: 3 } },
  { text: "a\nbc\n",  offset: 1, want: { line: 1, column: 2, utf16: 1, codePoint: 1 } },
  { text: "a\nbc\n",  offset: 2, want: { line: 2, column: 1, utf16: 2, codePoint: 2 } },
  { text: "a\nbc\n",  offset: 5, want: { line: 3, column: 1, utf16: 5, codePoint: 5 } },
  { text: "é😀x\n😀y", offset: 3, want: { line: 1, column: 3, utf16: 3, codePoint: 2 } },
  { text: "é😀x\n😀y", offset: 7, want: { line: 2, column: 2, utf16: 7, codePoint: 5 } },
  { text: "a\r\nb",   offset: 3, want: { line: 2, column: 1, utf16: 3, codePoint: 3 } },
  { text: "",         offset: 0, want: { line: 1, column: 1, utf16: 0, codePoint: 0 } },
];
test.each(cases)("$offset in $text", ({ text, offset, want }) =>
  expect(positionOf(source(text), offset)).toEqual(want),
);

test("lines", () => {
  const text = source("a\nb\r\n");
  expect([1, 2, 3, 4].map((line) => lineText(text, line))).toEqual(["a", "b\r", "", undefined]);
  expect(linesOf(text)).toBe(linesOf(text));
});

test("code points and UTF-16 offsets are each other's inverse", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "\n", "é", "😀", "\r") }), (text) => {
      const from = source(text);
      let codePoint = 0;
      for (let offset = 0; offset <= text.length; codePoint++) {
        expect(positionOf(from, offset).codePoint).toBe(codePoint);
        expect(offsetOfCodePoint(from, codePoint)).toBe(offset);
        offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
      }
    }),
  );
});
