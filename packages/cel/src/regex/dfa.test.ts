// Patterns that ruin backtracking engines or that need very many states. The answers must be right; that they come at all
// within the test's time shows the rest.

import { describe, expect, test } from "vitest";
import { CelError } from "../value/error.ts";
import { compileRegex, DEFAULT_LIMITS, type RegexLimits } from "./index.ts";

function test1(pattern: string, input: string, limits: RegexLimits = DEFAULT_LIMITS): boolean {
  const regex = compileRegex(pattern, limits);
  if (regex instanceof CelError) throw new Error(regex.message);
  return regex.test(input);
}

const a = (count: number): string => "a".repeat(count);
/** A fixed, irregular text of two letters. */
const irregular = Array.from({ length: 20_000 }, (_, i) => "ab"[(i * i * 7 + (i >> 3)) % 5 < 2 ? 0 : 1]).join("");

// biome-ignore format: one case per line
const hostile = [
  { pattern: "(a*)*b",                  input: a(100_000),             want: false },
  { pattern: "^(x+x+)+y$",              input: "x".repeat(100_000),    want: false },
  { pattern: "(?:a?){500}a{500}",       input: a(500),                 want: true },
  { pattern: "^(?:a?){500}a{500}$",     input: a(499),                 want: false },
  { pattern: "(?:.*a){20}b",            input: a(50_000),              want: false },
  { pattern: "(?:(?:a*)*|b*)*c",        input: a(100_000),             want: false },
  { pattern: "((a{10}){10}){10}b",      input: `${a(3_000)}b`,         want: true },
  { pattern: "[ab]*a[ab]{14}c",         input: irregular,              want: false },
  { pattern: "a[ab]{60}$",              input: irregular + a(61),      want: true },
  { pattern: "(?m)^b$",                 input: "a\n".repeat(50_000),   want: false },
  { pattern: "(?m)^b$",                 input: `${"a\n".repeat(50_000)}b`, want: true },
  { pattern: "[a-z]+[0-9]",             input: a(1_000_000),           want: false },
  { pattern: "[é-ü漢]+[0-9]",           input: `${"é漢".repeat(100_000)}0`, want: true },
];
test.each(hostile)("$pattern", ({ pattern, input, want }) => expect(test1(pattern, input)).toBe(want));

describe("with hardly any room for states", () => {
  const cramped = { ...DEFAULT_LIMITS, automatonSize: 64 };
  test.each([
    { pattern: "a[ab]{8}c", input: irregular, want: false },
    { pattern: "a[ab]{8}c", input: `${irregular}${a(9)}c`, want: true },
    { pattern: "\\ba[ab]{3,8}\\b", input: `x${irregular} aabb`, want: true },
    { pattern: "^[ab]*$", input: irregular, want: true },
  ])("$pattern", ({ pattern, input, want }) => {
    expect(test1(pattern, input, cramped)).toBe(want);
    expect(test1(pattern, input)).toBe(want);
  });
});

test("one matcher serves many texts in any order", () => {
  const regex = compileRegex("\\b(?:foo|bar)[0-9]+\\b|(?m)^x$");
  if (regex instanceof CelError) throw new Error(regex.message);
  const { test: search } = regex;
  const texts: [string, boolean][] = [
    ["foo1", true],
    ["afoo1", false],
    ["", false],
    ["é bar22 é", true],
    ["bar22_", false],
    ["y\nx\nz", true],
    ["y\nxx\nz", false],
    ["😀foo9😀", true],
  ];
  for (const [text, want] of [...texts, ...texts.reverse()]) expect(search(text), text).toBe(want);
});

test("half a surrogate pair is a character", () => {
  expect(test1("^.$", "\ud83d")).toBe(true);
  expect(test1("^.$", "\ud83d\ude00")).toBe(true);
  expect(test1("^..$", "\ude00\ud83d")).toBe(true);
  expect(test1("\\x{de00}", "\ud83d\ude00")).toBe(false);
  expect(test1("\\x{de00}", "a\ude00")).toBe(true);
});

test("sets too many or too large for the automaton are tried one by one", () => {
  const many = Array.from({ length: 1_500 }, (_, i) => `[a\\x{${(0x4000 + 4 * i).toString(16)}}]`).join("");
  expect(test1(many, a(1_500))).toBe(true);
  expect(test1(many, a(1_499))).toBe(false);
});
