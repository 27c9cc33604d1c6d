import { expect, test } from "vitest";
import { cutBytes, trimSpace } from "../evaluate/go-text.ts";
import { headerTexts, warningHeader } from "./warnings.ts";

const x = (n: number, first = "x"): string => first + "x".repeat(n - 1);

// biome-ignore format: one case per line
test.each([
  { name: "in order, each once",                 texts: ["b", "a", "b"],                want: ["b", "a"] },
  { name: "nothing empty",                       texts: ["", "a"],                      want: ["a"] },
  { name: "no control characters",               texts: ["a\nb", "a\tb", "a\u0085b", "c"], want: ["c"] },
  { name: "no half characters",                  texts: ["\ud800", "\udc00", "\u{1f600}"], want: ["\u{1f600}"] },
  { name: "as much as fits",                     texts: [x(4000), x(96, "y")],          want: [x(4000), x(96, "y")] },
  { name: "more than fits: all cut",             texts: [x(4000), x(97, "y")],          want: [x(256), x(97, "y")] },
  { name: "characters, not units",               texts: ["\u{1f600}".repeat(4096)],     want: ["\u{1f600}".repeat(4096)] },
  { name: "once cut, later ones too",            texts: [x(4097), x(300, "y")],         want: [x(256), x(256, "y")] },
])("$name", ({ texts, want }) => expect(headerTexts(texts)).toEqual(want));

test("once cut, no more than fits", () => {
  const many = Array.from({ length: 100 }, (_, i) => x(300, String.fromCodePoint(0x4e00 + i)));
  expect(headerTexts(many)).toHaveLength(16);
});

test("very many that cannot be sent take no time", () => {
  const many = Array.from({ length: 200_000 }, (_, i) => `${i}\n`);
  expect(headerTexts([...many, "a"])).toEqual(["a"]);
  expect(headerTexts([...many, x(4097), ...many.map((text) => text.repeat(2))])).toEqual([x(256)]);
});

test("header", () => expect(warningHeader(`say "a\\b"`)).toBe(`299 - "say \\"a\\\\b\\""`));

test("trimming as Go does", () => {
  expect(trimSpace("\u0085\u3000 a\ufeff \n")).toBe("a\ufeff");
});

// biome-ignore format: one case per line
test.each([
  ["abc", 2, "ab"],
  ["abc", 3, "abc"],
  ["a\u00e9", 2, "a\ufffd"],
  ["\u{1f600}", 3, "\ufffd\ufffd\ufffd"],
  ["\u{1f600}b", 4, "\u{1f600}"],
] as const)("%s cut to %d bytes", (text, limit, want) => expect(cutBytes(text, limit)).toBe(want));
