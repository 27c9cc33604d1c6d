import { expect, test } from "vitest";
import { wordOf } from "./word.ts";

// biome-ignore format: one call per line
const cases = [
  { argv: ["check", "-f", "help"],    word: "check" },
  { argv: ["crd", "upgrade", "a"],    word: "crd" },
  { argv: [],                         word: undefined },
  { argv: ["help", "check"],          word: undefined },
  { argv: ["check", "--help"],        word: undefined },
  { argv: ["../check", "a"],          word: undefined },
  { argv: ["-f", "check"],            word: undefined },
];

test.each(cases)("$argv", ({ argv, word }) => expect(wordOf(argv)).toBe(word));
