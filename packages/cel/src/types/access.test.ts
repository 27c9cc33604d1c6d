// Reading keys, elements and fields of every kind of value.

import { describe, expect, test } from "vitest";
import { show } from "../run/show.testing.ts";
import { CelMap } from "../value/collection/map.ts";
import { BOOL, DOUBLE, INT, LIST, STRING, TIMESTAMP, type Type, UINT } from "../value/type.ts";
import { Double, Duration, ListValue, Optional, Timestamp, Uint, type Value } from "../value/value.ts";
import {
  coerce,
  find,
  findSpecified,
  get,
  goDataName,
  has,
  hasSpecified,
  isQualifier,
  needsCoercion,
} from "./access.ts";

class Squares extends ListValue {
  override readonly size = 4;
  override get(index: number): Value {
    return index * index;
  }
}

function mapOf(...entries: readonly (readonly [Value, Value])[]): CelMap {
  const map = new CelMap();
  for (const [key, value] of entries) map.set(key, value);
  return map;
}

const list = [1, "b", null];
const sparse = Object.assign(new Array(3), { 1: "x" });
const object = { a: 1, n: null, u: undefined, "": 2, 0: "zero" };
const map = mapOf(["a", 1], [2, "two"], [true, "yes"], [new Uint(3), "three"]);

// biome-ignore format: one case per line
const cases: readonly (readonly [what: string, target: Value, key: Value, want: string | undefined])[] = [
  ["key",                    object,         "a",              "1"],
  ["null entry",             object,         "n",              "null"],
  ["undefined entry",        object,         "u",              undefined],
  ["empty key",              object,         "",               "2"],
  ["absent key",             object,         "z",              undefined],
  ["inherited key",          object,         "toString",       undefined],
  ["int key of an object",   object,         0,                undefined],
  ["element",                list,           0,                "1"],
  ["null element",           list,           2,                "null"],
  ["element by uint",        list,           new Uint(1),      `"b"`],
  ["element by double",      list,           new Double(1),    `"b"`],
  ["element by -0",          list,           new Double(-0),   "1"],
  ["negative index",         list,           -1,               undefined],
  ["index past the end",     list,           3,                undefined],
  ["huge index",             list,           2n ** 62n,        undefined],
  ["uint past int64",        list,           new Uint(2n ** 63n), "error: unsupported index value 9223372036854775808 in list"],
  ["fraction",               list,           0.5,              "error: unsupported index value 0.5 in list"],
  ["NaN",                    list,           Number.NaN,       "error: unsupported index value NaN in list"],
  ["double past int64",      list,           2 ** 63,          "error: unsupported index value 9.223372036854776e+18 in list"],
  ["string index",           list,           "0",              "error: unsupported index type 'string' in list"],
  ["name of a list's own",   list,           "length",         "error: unsupported index type 'string' in list"],
  ["bool index",             list,           true,             "error: unsupported index type 'bool' in list"],
  ["hole",                   sparse,         0,                "null"],
  ["beside a hole",          sparse,         1,                `"x"`],
  ["ListValue element",      new Squares(),  3,                "9"],
  ["ListValue past the end", new Squares(),  4,                undefined],
  ["MapValue key",           map,            "a",              "1"],
  ["MapValue int key",       map,            2,                `"two"`],
  ["MapValue by uint",       map,            new Uint(2),      `"two"`],
  ["MapValue by double",     map,            new Double(3),    `"three"`],
  ["MapValue bool key",      map,            true,             `"yes"`],
  ["MapValue absent",        map,            "z",              undefined],
  ["of a string",            "text",         "length",         undefined],
  ["of a number",            1,              "a",              undefined],
  ["of null",                null,           "a",              undefined],
  ["of bytes",               new Uint8Array(2), 0,             undefined],
  ["of a timestamp",         new Timestamp(0, 0), "seconds",   undefined],
  ["of an optional",         Optional.of({ a: 1 }), "value",   undefined],
];

const shown = (value: Value): string | undefined =>
  value === undefined
    ? undefined
    : show(value).replace(/^celError.*|^\{"code".*?"message": "(.*)", "node.*$/, "error: $1");

describe("find, get and has", () => {
  test.each(cases)("%s", (_, target, key, want) => {
    expect(shown(find(target, key))).toBe(want);
    const isList = Array.isArray(target) || target instanceof ListValue;
    const missing = isList ? /^error: index out of bounds: / : /^error: no such key: /;
    if (want === undefined) expect(shown(get(target, key))).toMatch(missing);
    else expect(shown(get(target, key))).toBe(want);
    if (want?.startsWith("error")) expect(shown(has(target, key))).toBe(want);
    else expect(has(target, key)).toBe(want !== undefined);
  });

  test("the specification has errors where there is nothing to look into", () => {
    for (const target of [1, "text", null, new Uint8Array(1), new Duration(1, 0)]) {
      expect(shown(findSpecified(target, "a"))).toBe("error: no such key: a");
      expect(shown(hasSpecified(target, "a"))).toBe("error: no such key: a");
    }
    expect(findSpecified({}, "a")).toBe(undefined);
    expect(hasSpecified({ a: null }, "a")).toBe(true);
  });
});

describe("indexes", () => {
  test.each(["a", 1, 2n ** 60n, 1.5, true, new Uint(1), new Double(1)])("%s may be one", (key) =>
    expect(isQualifier(key)).toBe(true),
  );
  test.each([null, [1], { a: 1 }, new Uint8Array(1), new Timestamp(0, 0), Optional.none, INT])("%s may not", (key) =>
    expect(isQualifier(key)).toBe(false),
  );
  test("are named as data is in the reference", () => {
    expect([null, [1], { a: 1 }, new Timestamp(0, 0), new CelMap(), Optional.none].map(goDataName)).toEqual([
      "<nil>",
      "[]interface {}",
      "map[string]interface {}",
      "types.Timestamp",
      "*types.baseMap",
      "*types.Optional",
    ]);
  });
});

describe("data under a declared type", () => {
  // biome-ignore format: one case per line
  const conversions: readonly (readonly [Type, Value, string])[] = [
    [DOUBLE,    1,                        "double(1)"],
    [DOUBLE,    1.5,                      "double(1.5)"],
    [DOUBLE,    2n ** 60n,                "double(1152921504606847000)"],
    [DOUBLE,    "x",                      `"x"`],
    [UINT,      7,                        "7u"],
    [UINT,      new Uint(7),              "7u"],
    [UINT,      "x",                      `"x"`],
    [TIMESTAMP, new Date(1500),           "timestamp(1970-01-01T00:00:01.5Z)"],
    [TIMESTAMP, new Date(-1),             "timestamp(1969-12-31T23:59:59.999Z)"],
    [TIMESTAMP, new Timestamp(1, 2),      "timestamp(1970-01-01T00:00:01.000000002Z)"],
    [INT,       1,                        "1"],
    [STRING,    "x",                      `"x"`],
  ];
  test.each(conversions)("%s from %s", (type, raw, want) => expect(show(coerce(type, raw))).toBe(want));

  test("is left alone if its form determines its type", () => {
    expect([DOUBLE, UINT, TIMESTAMP].every(needsCoercion)).toBe(true);
    expect([STRING, BOOL, LIST].some(needsCoercion)).toBe(false);
  });
});
