import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CelError } from "../error.ts";
import { Double, Duration, ListValue, Timestamp, Uint, type Value } from "../value.ts";
import { mapFind, mapHas, mapKeys, mapSize } from "./any-map.ts";
import { concatLists, listGet, listIterate, toArray } from "./list.ts";
import { CelMap, checkMapKey } from "./map.ts";

const mapOf = (...entries: [Value, Value][]): CelMap => CelMap.from(entries) as CelMap;

describe("keys", () => {
  const map = mapOf(
    [1, "int"],
    [new Uint(2), "uint"],
    ["1", "string"],
    [true, "bool"],
    [9007199254740993n, "big"],
    [new Uint(18446744073709551615n), "huge"],
  );

  // biome-ignore format: one case per line
  const cases: readonly (readonly [Value, string | undefined])[] = [
    [1, "int"], [new Uint(1), "int"], [new Double(1), "int"], ["1", "string"], [true, "bool"], [false, undefined],
    [2, "uint"], [new Uint(2), "uint"], [new Double(2), "uint"], [1.5, undefined], [Number.NaN, undefined],
    [9007199254740993n, "big"], [new Uint(9007199254740993n), "big"], [2 ** 53, undefined],
    [2 ** 64, undefined], [new Uint(18446744073709551615n), "huge"], [null, undefined], ["constructor", undefined],
  ];
  test.each(cases)("find %o", (key, want) => {
    expect(map.find(key)).toBe(want);
    expect(mapHas(map, key)).toBe(want !== undefined);
  });

  test("collide only with the same type and value", () => {
    const both = mapOf(
      [1, "a"],
      [new Uint(1), "b"],
      [new Double(1), "c"],
      [1, "d"],
      [new Uint(1), "e"],
      [new Double(1), "f"],
    );
    expect([...both.entries()].map(([, value]) => value)).toEqual(["d", "e", "f"]);
    expect(both.find(1)).toBe("d");
    expect(both.find(new Uint(1))).toBe("e");
    expect(both.find(new Double(1))).toBe("f");
  });

  test("of kinds that other languages would refuse work as in the reference", () => {
    const odd = mapOf(
      [null, 0],
      [1.5, 1],
      [new Timestamp(0, 0), 2],
      [new Duration(1, 0), 3],
      [Number.NaN, 4],
      [Number.NaN, 5],
    );
    expect(odd.size).toBe(6);
    expect(odd.find(null)).toBe(0);
    expect(odd.find(1.5)).toBe(1);
    expect(odd.find(new Timestamp(0, 0))).toBe(2);
    expect(odd.find(new Duration(1, 0))).toBe(3);
    expect(mapKeys(odd).filter(Number.isNaN)).toHaveLength(2);
    expect((CelMap.from([[new Uint8Array(), 1]]) as CelError).message).toMatch("hash of unhashable type");
  });

  test("are checked on request", () => {
    for (const key of [1, 1n, new Uint(1), "a", true]) expect(checkMapKey(key)).toBeUndefined();
    expect(checkMapKey(1.5)?.message).toBe("unsupported key type: double");
    expect(checkMapKey(null)?.message).toBe("unsupported key type: null_type");
  });
});

test("insert refuses a key that can be found", () => {
  const map = mapOf([1, "a"]);
  expect((map.insert(new Double(1), "b") as CelError).message).toBe("insert failed: key 1 already exists");
  expect(map.insert("1", "b")).toBe(map);
  expect(map.copy().insert(2, "c")).not.toBe(map);
  expect(mapKeys(map)).toEqual([1, "1"]);
});

test("delete and set keep insertion order", () => {
  const map = mapOf(["a", 1], ["b", 2], [new Uint(3), 3]);
  map.set("a", 4);
  map.delete("b");
  map.delete(new Uint(3));
  map.set(new Uint(3), 5);
  expect([...map.entries()]).toEqual([
    ["a", 4],
    [new Uint(3), 5],
  ]);
});

describe("plain objects", () => {
  const object = JSON.parse('{"a": 1, "n": null, "__proto__": 2, "constructor": 3}');
  test("have own string keys only", () => {
    expect(mapKeys(object)).toEqual(["a", "n", "__proto__", "constructor"]);
    expect(mapFind(object, "__proto__")).toBe(2);
    expect(mapFind(object, "constructor")).toBe(3);
    expect(mapFind({}, "__proto__")).toBeUndefined();
    expect(mapFind({}, "toString")).toBeUndefined();
    expect(mapFind({ 1: "x" }, 1)).toBeUndefined();
    expect(mapHas(object, "n")).toBe(true);
  });
  test("an undefined value is an absent key", () => {
    const sparse = { a: undefined, b: 1 };
    expect([mapSize(sparse), mapKeys(sparse), mapHas(sparse, "a")]).toEqual([1, ["b"], false]);
  });
});

test("behaves like a JavaScript map on strings and safe ints", () => {
  const keys = fc.oneof(fc.string(), fc.integer(), fc.boolean());
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.integer())), keys, (entries, key) => {
      const [ours, theirs] = [mapOf(...(entries as [Value, Value][])), new Map<Value, Value>(entries)];
      expect([...ours.entries()]).toEqual([...theirs]);
      expect(ours.find(key)).toBe(theirs.get(key));
    }),
  );
});

describe("lists", () => {
  class Countdown extends ListValue {
    readonly size = 3;
    get(index: number): number {
      return 3 - index;
    }
  }
  // biome-ignore lint/suspicious/noSparseArray: what a host may hand over
  const sparse = [1, , undefined];
  test("holes and undefined elements are null", () => {
    expect([...listIterate(sparse)]).toEqual([1, null, null]);
    expect(toArray(sparse)).toEqual([1, null, null]);
    expect(listGet(sparse, 1)).toBe(null);
  });
  test("an array without holes is not copied", () => {
    const list = [1, 2];
    expect(toArray(list)).toBe(list);
  });
  test("concatenation", () => {
    const list = [1];
    expect(concatLists(list, [])).toBe(list);
    expect(concatLists([], list)).toBe(list);
    expect(concatLists([9], new Countdown())).toEqual([9, 3, 2, 1]);
    expect(concatLists(new Countdown(), list)).toEqual([3, 2, 1, 1]);
    expect(concatLists(list, "a")).toBeInstanceOf(CelError);
  });
});
