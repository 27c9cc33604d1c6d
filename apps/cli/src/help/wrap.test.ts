import { expect, test } from "vitest";
import { wrap } from "./wrap.ts";

// biome-ignore format: one case per line
const cases = [
  { name: "a long line",               text: "aa bb cc dd",        want: ["aa bb", "cc dd"] },
  { name: "a paragraph is set anew",   text: "aa\nbb cc\ndd",      want: ["aa bb", "cc dd"] },
  { name: "paragraphs stay apart",     text: "aa\n\nbb",           want: ["aa", "", "bb"] },
  { name: "indented lines stay",       text: "aa\n  bb cc dd\nee", want: ["aa", "  bb cc dd", "ee"] },
  { name: "a word is never broken",    text: "aaaaaaa bb",         want: ["aaaaaaa", "bb"] },
  { name: "nothing",                   text: "",                   want: [""] },
];
test.each(cases)("$name", ({ text, want }) => expect(wrap(text, 5)).toEqual(want));
