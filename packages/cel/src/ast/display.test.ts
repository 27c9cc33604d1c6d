// Frames as the reference prints them; every text here was taken from it.

import { expect, test } from "vitest";
import { displayIssues } from "./display.ts";
import type { Issue } from "./issue.ts";

const source = (text: string) => ({ name: "<input>", text });
const at = (offset: number, message = "m"): Issue => ({
  code: "c",
  message,
  severity: "error",
  span: { start: offset, end: offset, at: offset },
});

// biome-ignore format: one case per line
const cases = [
  { name: "marks the place",            text: "a + b",       issues: [at(4)],          want: "ERROR: <input>:1:5: m\n | a + b\n | ....^" },
  { name: "behind the end",             text: "a",           issues: [at(1)],          want: "ERROR: <input>:1:2: m\n | a\n | .^" },
  { name: "the right line",             text: "a\n b\nc",    issues: [at(3)],          want: "ERROR: <input>:2:2: m\n |  b\n | .^" },
  { name: "tabs are spaces",            text: "\ta\t+",      issues: [at(3)],          want: "ERROR: <input>:1:4: m\n |  a +\n | ...^" },
  { name: "wide marks",                 text: "é😀a",        issues: [at(3)],          want: "ERROR: <input>:1:3: m\n | é😀a\n | ．．^" },
  { name: "a wide mark for the place",  text: "aé",          issues: [at(1)],          want: "ERROR: <input>:1:2: m\n | aé\n | .＾" },
  { name: "no place",                   text: "a",           issues: [{ code: "c", message: "m", severity: "error" as const }], want: "ERROR: <input>:-1:0: m" },
  { name: "no text",                    text: "",            issues: [at(0)],          want: "ERROR: <input>:1:0: m" },
  { name: "before the text",            text: "ab",          issues: [at(-1)],         want: "ERROR: <input>:1:0: m\n | ab\n | ^" },
  { name: "sorted, stable",             text: "a\nb",        issues: [at(2, "3"), at(0, "1"), at(0, "2")],
    want: "ERROR: <input>:1:1: 1\n | a\n | ^\nERROR: <input>:1:1: 2\n | a\n | ^\nERROR: <input>:2:1: 3\n | b\n | ^" },
  { name: "warnings",                   text: "a",           issues: [{ ...at(0), severity: "warning" as const }], want: "WARNING: <input>:1:1: m\n | a\n | ^" },
];
test.each(cases)("$name", ({ text, issues, want }) => expect(displayIssues(issues, source(text))).toBe(want));

test("a hundred issues, then a count", () => {
  const lines = displayIssues(
    Array.from({ length: 103 }, () => at(0)),
    source("a"),
  ).split("\n");
  expect(lines).toHaveLength(301);
  expect(lines.at(-1)).toBe("3 more errors were truncated");
});

test("long lines are not shown", () => {
  const frame = (text: string): number => displayIssues([at(0)], source(text)).split("\n").length;
  expect(frame("a".repeat(16_384))).toBe(3);
  expect(frame("a".repeat(16_385))).toBe(1);
  expect(frame("é".repeat(8_192))).toBe(3);
  expect(frame("é".repeat(8_193))).toBe(1);
});

test("a hundred issues of one long line do not show it a hundred times", () => {
  const shown = displayIssues(
    Array.from({ length: 100 }, (_, i) => at(i)),
    source("x".repeat(16_000)),
  );
  expect(shown.length).toBeLessThan(400_000);
  expect(shown.split("\n").filter((line) => line.startsWith("ERROR"))).toHaveLength(100);
});
