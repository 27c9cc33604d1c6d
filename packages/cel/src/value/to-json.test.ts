import { inspect } from "node:util";
import { expect, test } from "vitest";
import { CelMap } from "./collection/map.ts";
import { toJson } from "./to-json.ts";
import { INT } from "./type.ts";
import { Double, Duration, Optional, Timestamp, Uint } from "./value.ts";

// biome-ignore format: one case per line
test.each<[title: string, value: unknown, want: unknown]>([
  ["null",             null,                                      null],
  ["an int",           1,                                         1],
  ["a large int",      9223372036854775807n,                      "9223372036854775807"],
  ["a small bigint",   5n,                                        5],
  ["a double",         new Double(1),                             1],
  ["not a number",     Number.NaN,                                "NaN"],
  ["infinity",         Number.NEGATIVE_INFINITY,                  "-Infinity"],
  ["a uint",           new Uint(2),                               2],
  ["bytes",            new Uint8Array([1, 2, 3]),                 "AQID"],
  ["a timestamp",      new Timestamp(0, 500_000_000, 60),         "1970-01-01T01:00:00.5+01:00"],
  ["a date in data",   new Date(0),                               "1970-01-01T00:00:00.000Z"],
  ["a duration",       new Duration(1, 500_000_000),              "1.5s"],
  ["an optional",      Optional.of(new Uint(1)),                  1],
  ["none",             Optional.none,                             null],
  ["a type",           INT,                                       "int"],
  ["a list",           [new Double(1), [new Uint(1)]],            [1, [1]]],
  ["holes",            new Array(1),                               [null]],
  ["a plain map",      JSON.parse(`{"a": 1, "__proto__": {"b": 2}}`), JSON.parse(`{"a": 1, "__proto__": {"b": 2}}`)],
  ["other keys",       CelMap.from([[1, "a"], [true, "b"]]),      { 1: "a", true: "b" }],
])("%s", (_, value, want) => {
  const json = toJson(value);
  expect(json).toStrictEqual(want);
  expect(JSON.parse(JSON.stringify(json))).toStrictEqual(want);
});

test("JSON.stringify and Node's console show results", () => {
  const map = CelMap.from([
    ["a", [new Double(1), new Uint(9223372036854775807n), new Timestamp(0, 0), new Duration(1, 0)]],
  ]);
  expect(JSON.stringify(map)).toBe(`{"a":[1,"9223372036854775807","1970-01-01T00:00:00Z","1s"]}`);
  expect(JSON.stringify([new Double(1), new Uint(2), new Timestamp(0, 0), new Duration(1, 0)])).toBe(
    `[1,2,"1970-01-01T00:00:00Z","1s"]`,
  );
  expect(inspect(CelMap.from([[1, "a"]]))).toBe("Map(1) { 1 => 'a' }");
});
