import { expect, test } from "vitest";
import { changesBetween, pointerOf } from "./changes.ts";

// biome-ignore format: one case per line
const cases: [unknown, unknown, string[]][] = [
  [{ a: 1 },                    { a: 1 },                              []],
  [{ a: 1, b: 2 },              { a: 2, c: 3 },                        ["replace /a", "remove /b", "add /c"]],
  [{ a: { "x/y": 1 } },         { a: { "x/y": 2 } },                   ["replace /a/x~1y"]],
  [[1, 2, 3],                   [1, 4],                                ["replace /1", "remove /2"]],
  [[{ name: "a" }, { name: "b", v: 1 }], [{ name: "n" }, { name: "b", v: 2 }, { name: "a" }], ["add /0", "replace /1/v"]],
  [[{ name: "a" }, { name: "b" }], [{ name: "b" }],                    ["remove /0"]],
  [{ a: [] },                   { a: {} },                             ["replace /a"]],
];

test.each(cases)("%#", (before, after, want) => {
  expect(changesBetween(before, after).map(({ op, path }) => `${op} ${pointerOf(path)}`)).toEqual(want);
});
