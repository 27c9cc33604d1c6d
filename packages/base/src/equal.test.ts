import { expect, test } from "vitest";
import { Double } from "./double.ts";
import { deepEqual, semanticEqual } from "./equal.ts";

const withProto = JSON.parse('{"__proto__": 1}') as Record<string, unknown>;

// biome-ignore format: one case per line
test.each<[a: unknown, b: unknown, equal: boolean]>([
  [1,                          1,                          true],
  [1,                          new Double(1),              false],
  [new Double(1),              new Double(1),              true],
  [1.5,                        1.5,                        true],
  [2n ** 60n,                  2n ** 60n,                  true],
  [null,                       {},                         false],
  [[1, [2]],                   [1, [2]],                   true],
  [[1, 2],                     [2, 1],                     false],
  [[],                         {},                         false],
  [{ a: 1, b: { c: [] } },     { b: { c: [] }, a: 1 },     true],
  [{ a: 1 },                   { a: 1, b: undefined },     false],
  [withProto,                  { ["__proto__"]: 1 },       true],
  [withProto,                  {},                         false],
  [{ constructor: 1 },         { toString: 1 },            false],
])("%o and %o", (a, b, equal) => {
  expect(deepEqual(a, b)).toBe(equal);
  expect(deepEqual(b, a)).toBe(equal);
});

// biome-ignore format: one case per line
test.each<[a: unknown, b: unknown, equal: boolean]>([
  [1,                          new Double(1),              true],
  [new Double(1),              new Double(2),              false],
  [null,                       undefined,                  true],
  [null,                       {},                         false],
  [[],                         undefined,                  true],
  [[],                         [null],                     false],
  [[],                         {},                         false],
  [{ a: 1 },                   { a: 1, b: undefined },     true],
  [{ a: 1, b: [] },            { c: null, a: 1 },          true],
  [{ a: 1, b: {} },            { a: 1 },                   false],
  [{ a: 1, b: 0 },             { a: 1 },                   false],
  [{ a: [{ b: [] }] },         { a: [{}] },                true],
  [withProto,                  {},                         false],
])("%o means the same as %o: %s", (a, b, equal) => {
  expect(semanticEqual(a, b)).toBe(equal);
  expect(semanticEqual(b, a)).toBe(equal);
});
