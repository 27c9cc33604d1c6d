import fc from "fast-check";
import { expect, test } from "vitest";
import { SourceText } from "./source-text.ts";

const TEXT = "aé😀z\r\nb\rc\n\nd\u2028e";

// biome-ignore format: one case per line
test.each([
  { at: "z",       utf16: [0, 4], utf8: [0, 7], utf32: [0, 3] },
  { at: "\r\n",    utf16: [0, 5], utf8: [0, 8], utf32: [0, 4] },
  { at: "b",       utf16: [1, 0], utf8: [1, 0], utf32: [1, 0] },
  { at: "c",       utf16: [2, 0], utf8: [2, 0], utf32: [2, 0] },
  { at: "e",       utf16: [4, 2], utf8: [4, 4], utf32: [4, 2] },
])("$at", ({ at, utf16, utf8, utf32 }) => {
  const text = new SourceText(TEXT);
  const offset = TEXT.indexOf(at);
  for (const [encoding, [line, character]] of [["utf-16", utf16], ["utf-8", utf8], ["utf-32", utf32]] as const) {
    expect(text.positionAt(offset, encoding)).toEqual({ line, character });
    expect(text.offsetAt({ line: line!, character: character! }, encoding)).toBe(offset);
  }
});

test("beyond lines and text", () => {
  const text = new SourceText("ab\ncd");
  expect(text.offsetAt({ line: 0, character: 9 })).toBe(2);
  expect(text.offsetAt({ line: 9, character: 9 }, "utf-8")).toBe(5);
  expect(text.positionAt(99)).toEqual({ line: 1, character: 2 });
});

test("positions lead back to their offsets", () => {
  const piece = fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\rx", "\t", "\u2028", "€");
  const encoding = fc.constantFrom("utf-16", "utf-8", "utf-32") as fc.Arbitrary<"utf-16" | "utf-8" | "utf-32">;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), encoding, (pieces, unit) => {
      const text = new SourceText(pieces.join(""));
      let offset = 0;
      for (const item of pieces) {
        expect(text.offsetAt(text.positionAt(offset, unit), unit)).toBe(offset);
        offset += item.length;
      }
    }),
    { numRuns: 300 },
  );
});
