import { expect, test } from "vitest";
import { frame } from "./frame.ts";

const show = (text: string, column: number, length?: number, width?: number): string =>
  frame({
    file: "a.yaml",
    line: 2,
    column,
    text: (line) => ["first:", text, "after"][line - 1],
    message: "m",
    ...(length !== undefined && { length }),
    ...(width !== undefined && { width }),
  });

// biome-ignore format: one case per line
const cases = [
  { text: "  x: objct.y",      column: 6,  length: 5, want: "  2 |   x: objct.y\n    |      ^^^^^\n" },
  { text: "\tx: 1",            column: 2,             want: "  2 |   x: 1\n    |   ^\n" },
  { text: "日本: x",           column: 5,             want: "  2 | 日本: x\n    |       ^\n" },
  { text: "a: 日本",           column: 4,  length: 2, want: "  2 | a: 日本\n    |    ^^^^\n" },
  { text: "abc",               column: 4,             want: "  2 | abc\n    |    ^\n" },
  { text: "abc",               column: 99,            want: "  2 | abc\n    |    ^\n" },
  { text: "",                  column: 1,             want: "  2 |\n    | ^\n" },
  { text: "a\r",               column: 1,             want: "  2 | a\n    | ^\n" },
  { text: "a\u001bb",          column: 3,             want: "  2 | a\\u001bb\n    |        ^\n" },
];
test.each(cases)("$text at $column", ({ text, column, length, want }) => {
  expect(show(text, column, length)).toBe(`a.yaml:2:${column}: m\n  1 | first:\n${want}`);
});

test("long lines are cut around the caret", () => {
  const text = `${"a".repeat(500)}X${"b".repeat(500)}`;
  const [, , line, caret] = show(text, 501, 1, 40).split("\n");
  expect(line).toHaveLength("  2 | ".length + 40);
  expect(line).toMatch(/^ {2}2 \| …a+Xb+…$/);
  expect(line!.indexOf("X")).toBe(caret!.indexOf("^"));
});

test("a long mark is cut as well", () => {
  const [, , line, caret] = show("x".repeat(1000), 1, 900, 40).split("\n");
  expect(caret!.trimEnd().length).toBeLessThanOrEqual(line!.length);
});

test("without a text, the place alone", () => {
  expect(frame({ file: "a", line: 9, column: 1, text: () => undefined, message: "m" })).toBe("a:9:1: m\n");
});
