// The elements that loops visit, in lists and maps of every representation.

import { describe, expect, test } from "vitest";
import { CelMap } from "../value/collection/map.ts";
import { ListValue, Timestamp, Uint, type Value } from "../value/value.ts";
import { iterate, rangeError } from "./iterate.ts";

class Letters extends ListValue {
  override readonly size = 3;
  override get(index: number): Value {
    return "abc"[index];
  }
}

function visited(values: Value, two: boolean, stopAfter = Number.POSITIVE_INFINITY): Value[][] | undefined {
  const seen: Value[][] = [];
  const iterated = iterate(values, two, (first, second) => {
    seen.push(two ? [first, second] : [first]);
    return seen.length >= stopAfter;
  });
  return iterated ? seen : undefined;
}

const map = new CelMap();
map.set("a", 1);
map.set(new Uint(2), "two");

// biome-ignore format: one case per line
const cases: readonly (readonly [what: string, values: Value, first: Value[][] | undefined, second: Value[][] | undefined])[] = [
  ["array",             [1, null],                            [[1], [null]],         [[0, 1], [1, null]]],
  ["sparse array",      Object.assign(new Array(2), { 1: 5 }), [[null], [5]],        [[0, null], [1, 5]]],
  ["empty array",       [],                                   [],                    []],
  ["ListValue",         new Letters(),                        [["a"], ["b"], ["c"]], [[0, "a"], [1, "b"], [2, "c"]]],
  ["object",            { a: 1, b: null },                    [["a"], ["b"]],        [["a", 1], ["b", null]]],
  ["undefined entries", { a: undefined, b: 2 },               [["b"]],               [["b", 2]]],
  ["own __proto__",     JSON.parse('{"__proto__": 1}'),       [["__proto__"]],       [["__proto__", 1]]],
  ["inherited entries", Object.create({ a: 1 }),              undefined,             undefined],
  ["no prototype",      Object.assign(Object.create(null), { a: 1 }), [["a"]],       [["a", 1]]],
  ["MapValue",          map,                                  [["a"], [new Uint(2)]], [["a", 1], [new Uint(2), "two"]]],
  ["string",            "abc",                                undefined,             undefined],
  ["bytes",             new Uint8Array(2),                    undefined,             undefined],
  ["int",               1,                                    undefined,             undefined],
  ["null",              null,                                 undefined,             undefined],
  ["Map",               new Map([["a", 1]]),                  undefined,             undefined],
];

describe("iterate", () => {
  test.each(cases)("%s", (_, values, a, b) => {
    expect(visited(values, false)).toEqual(a);
    expect(visited(values, true)).toEqual(b);
    if (a !== undefined && a.length > 1) expect(visited(values, false, 1)).toEqual(a.slice(0, 1));
  });

  test("what cannot be iterated is named as in the reference", () => {
    expect(rangeError(1, false).message).toBe("got 'types.Int', expected iterable type");
    expect(rangeError("a", true).message).toBe("unsupported comprehension range type: types.String");
    expect(rangeError(new Timestamp(0, 0), false).message).toBe("got 'types.Timestamp', expected iterable type");
    expect(rangeError(null, true).message).toBe("unsupported comprehension range type: types.Null");
  });
});
