import { expect, test } from "vitest";
import { trimSpace } from "./trim-space.ts";

test.each([
  ["", ""],
  [" \t\r\n", ""],
  ["a", "a"],
  [" a  b\n", "a  b"],
  ["\u0085\u00a0\u2003\u3000a\u0085", "a"],
  ["\ufeffa\ufeff", "\ufeffa\ufeff"],
  ["\u200ba", "\u200ba"],
  [" 😀 ", "😀"],
])("%j", (text, want) => expect(trimSpace(text)).toBe(want));

test("long runs of blanks in between cost nothing", () => {
  const text = `a${" ".repeat(300_000)}b`;
  expect(trimSpace(text)).toBe(text);
});
