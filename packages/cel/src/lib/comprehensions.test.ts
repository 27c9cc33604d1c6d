import { describe, expect, test } from "vitest";
import { CelMap } from "../value/collection/map.ts";
import { Stop } from "../value/size/stop.ts";
import { beginWork, endWork } from "../value/size/work.ts";
import { Uint, type Value } from "../value/value.ts";
import { twoVariableLibrary } from "./comprehensions.ts";
import { expansion } from "./expansion.testing.ts";
import { call } from "./library.testing.ts";

const insert = (...args: unknown[]) => shown(call(twoVariableLibrary, "@mapInsert_map_key_value", ...args));
const merge = (...args: unknown[]) => shown(call(twoVariableLibrary, "@mapInsert_map_map", ...args));
const shown = (result: unknown) => (result instanceof CelMap ? [...result.entries()] : result);
const map = (...entries: [Value, Value][]) => CelMap.from(entries) as CelMap;

describe("cel.@mapInsert", () => {
  test("adds an entry", () => {
    expect(insert(map(), "a", 1)).toEqual([["a", 1]]);
    expect(insert(map(["a", 1]), 2, "b")).toEqual([
      ["a", 1],
      [2, "b"],
    ]);
    expect(insert({ a: 1 }, "b", 2)).toEqual([
      ["a", 1],
      ["b", 2],
    ]);
  });

  test("counts its copies", () => {
    const large = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]));
    const outer = beginWork(undefined, true);
    try {
      expect(() => {
        for (let i = 0; i < 2000; i++) insert(large, "a", i);
      }).toThrow(Stop);
    } finally {
      endWork(outer);
    }
  });

  test("adds all entries of a map", () => {
    expect(merge(map(["a", 1]), { b: 2, c: 3 })).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ]);
    expect(merge(map(), map())).toEqual([]);
  });

  test("refuses a key that can be found already", () => {
    expect(insert(map(["x", 1]), "x", 1)).toEqual({ error: "insert failed: key x already exists" });
    expect(insert(map([7, 1]), new Uint(7), 1)).toEqual({ error: "insert failed: key 7 already exists" });
    expect(merge(map(["x", 1]), { y: 1, x: 2 })).toEqual({ error: "insert failed: key x already exists" });
  });

  test("leaves its argument as it was", () => {
    const before = map(["a", 1]);
    insert(before, "b", 2);
    merge(before, { c: 3 });
    expect([...before.entries()]).toEqual([["a", 1]]);
    const plain = Object.freeze({ a: 1 });
    expect(insert(plain, "__proto__", 2)).toEqual([
      ["a", 1],
      ["__proto__", 2],
    ]);
    expect(Object.keys(plain)).toEqual(["a"]);
  });
});

test("macros insert into the accumulated map", () => {
  expect(expansion("m.transformMap(k, v, v + 1)", twoVariableLibrary)).toBe(
    "fold(m, k v, @result = {}, true, cel.@mapInsert(@result, k, _+_(v, 1)), @result)",
  );
  expect(expansion("m.transformMapEntry(k, v, k > 1, {v: k})", twoVariableLibrary)).toBe(
    "fold(m, k v, @result = {}, true, _?_:_(_>_(k, 1), cel.@mapInsert(@result, {v: k}), @result), @result)",
  );
});
