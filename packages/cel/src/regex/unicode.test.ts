import { describe, expect, test } from "vitest";
import { fold } from "./fold.ts";
import { clean, contains, negate, type Ranges } from "./ranges.ts";
import { unicodeSet } from "./unicode.ts";

// biome-ignore format: one case per line
const properties = [
  { name: "Lu",     inside: "AÉΩ𐐀",   outside: "aé1𐐨" },
  { name: "l",      inside: "aÉ漢",    outside: "1_ " },
  { name: "Nd",     inside: "09٣",     outside: "a½" },
  { name: "greek",  inside: "αΩϴ",     outside: "aя" },
  { name: "HAN",    inside: "漢𠀀",    outside: "aあ" },
  { name: "Letter", inside: "aÉ漢",    outside: "1_ " },
  { name: "Upper case-letter", inside: "AÉ", outside: "a" },
  { name: "Any",    inside: "a😀\u0000\ud800", outside: "" },
  { name: "ascii",  inside: "a\u007f", outside: "\u0080é" },
  { name: "Cs",     inside: "\udfff\ud800", outside: "a\ue000" },
  { name: "Co",     inside: "\ue000\u{f0000}\u{10fffd}", outside: "a\u{10ffff}" },
  { name: "Cn",     inside: "\u0378\u{10ffff}\u{50000}", outside: "a\ue000" },
];
test.each(properties)("\\p{$name}", ({ name, inside, outside }) => {
  const set = unicodeSet(name) as Ranges;
  for (const character of inside) expect(contains(set, character.codePointAt(0) as number), character).toBe(true);
  for (const character of outside) expect(contains(set, character.codePointAt(0) as number), character).toBe(false);
});

test.each(["", "Foo", "Grek", "Script=Greek", "Old_Italic", "SignWriting", "Alphabetic", "L&"])("no \\p{%s}", (name) =>
  expect(unicodeSet(name)).toBeUndefined(),
);

test("sets agree with the engine's own, everywhere", () => {
  for (const category of ["L", "Cn", "Cs"]) {
    const set = unicodeSet(category) as Ranges;
    const native = new RegExp(`^\\p{${category}}$`, "u");
    for (let code = 0; code <= 0x10ffff; code += 61) {
      expect(contains(set, code) === native.test(String.fromCodePoint(code)), code.toString(16)).toBe(true);
    }
  }
});

describe("folding", () => {
  const letters = (text: string): Ranges =>
    clean([...text].flatMap((c) => [c.codePointAt(0) as number, c.codePointAt(0) as number]));
  // biome-ignore format: one case per line
  const cases = [
    { letter: "a", same: "Aa" },
    { letter: "k", same: "Kk\u212a" },
    { letter: "ſ", same: "Ssſ" },
    { letter: "σ", same: "Σσς" },
    { letter: "ǅ", same: "Ǆǅǆ" },
    { letter: "ß", same: "ßẞ" },
    { letter: "µ", same: "µΜμ" },
    { letter: "ι", same: "\u0345Ιι\u1fbe" },
    { letter: "İ", same: "İ" },
    { letter: "ı", same: "ı" },
    { letter: "ꭰ", same: "Ꭰꭰ" },
    { letter: "𐐨", same: "𐐀𐐨" },
    { letter: "1", same: "1" },
  ];
  test.each(cases)("$letter", ({ letter, same }) => expect(fold(letters(letter))).toEqual(letters(same)));

  test("a set folds as its members do", () => {
    expect(fold([0x61, 0x7a])).toEqual(clean([0x41, 0x5a, 0x61, 0x7a, 0x17f, 0x17f, 0x212a, 0x212a]));
    expect(fold([0xe0, 0xe5])).toEqual(clean([0xc0, 0xc5, 0xe0, 0xe5, 0x212b, 0x212b]));
  });
});

test("negation", () => {
  expect(negate([])).toEqual([0, 0x10ffff]);
  expect(negate([0, 0x10ffff])).toEqual([]);
  expect(negate([5, 9])).toEqual([0, 4, 10, 0x10ffff]);
  expect(negate(negate([0, 3, 7, 9]))).toEqual([0, 3, 7, 9]);
});
