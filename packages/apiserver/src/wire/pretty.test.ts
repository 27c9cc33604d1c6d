import { expect, test } from "vitest";
import { indented } from "./pretty.ts";

test("JSON is indented, and otherwise as it was", () => {
  const value = { a: [], b: {}, c: [1, { d: 'x, "y": {z}' }], e: null, f: { g: [[], [2.5]] } };
  expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
  expect(indented('{"n":9007199254740993,"x":1.0}')).toBe('{\n  "n": 9007199254740993,\n  "x": 1.0\n}');
});
