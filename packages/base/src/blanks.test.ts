import fc from "fast-check";
import { expect, test } from "vitest";
import { joinLines, trimEndOf } from "./blanks.ts";

const text = fc.string({ unit: fc.constantFrom(" ", "\n", "\t", "\r", "a", "/"), maxLength: 30 });

test("line breaks are joined as the pattern has it", () => {
  fc.assert(fc.property(text, (s) => joinLines(s, "; ") === s.replaceAll(/\s*\n\s*/g, "; ")));
  expect(joinLines("a\n b")).toBe("a b");
});

test("ends are cut as the pattern has it", () => {
  fc.assert(fc.property(text, (s) => trimEndOf(s, /[/\s]/) === s.replace(/[/\s]+$/, "")));
});

test("a million blanks are walked over once", () => {
  const blanks = " ".repeat(1_000_000);
  expect(joinLines(`${blanks}a${blanks}`)).toBe(`${blanks}a${blanks}`);
  expect(trimEndOf(`${blanks}a`, / /)).toBe(`${blanks}a`);
});
