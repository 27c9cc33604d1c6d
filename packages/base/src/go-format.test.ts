import { expect, test } from "vitest";
import { Double } from "./double.ts";
import { formatFloatJson, formatFloatV, formatGoJson, formatGoValue, goTypeName } from "./go-format.ts";

// biome-ignore format: one case per line
const floats: [number, string, string][] = [
  // value             %v                    JSON
  [0,                  "0",                  "0"],
  [-0,                 "-0",                 "-0"],
  [1.5,                "1.5",                "1.5"],
  [999999.5,           "999999.5",           "999999.5"],
  [1000000,            "1e+06",              "1000000"],
  [123456789.125,      "1.23456789125e+08",  "123456789.125"],
  [0.0001,             "0.0001",             "0.0001"],
  [0.00001,            "1e-05",              "0.00001"],
  [1e-7,               "1e-07",              "1e-7"],
  [1e20,               "1e+20",              "100000000000000000000"],
  [1e21,               "1e+21",              "1e+21"],
  [1.5e300,            "1.5e+300",           "1.5e+300"],
];

test.each(floats)("float %d", (n, v, json) => {
  expect(formatFloatV(n)).toBe(v);
  expect(formatFloatJson(n)).toBe(json);
});

test("texts that are no numbers", () => {
  expect([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(formatFloatV)).toEqual([
    "NaN",
    "+Inf",
    "-Inf",
  ]);
});

// biome-ignore format: one case per line
const values: [unknown, string, string, string][] = [
  // value                   %v                  JSON                     Go type
  [null,                     "<nil>",            "null",                  "<nil>"],
  [true,                     "true",             "true",                  "bool"],
  ["a<b",                    "a<b",              '"a\\u003cb"',           "string"],
  [7,                        "7",                "7",                     "int64"],
  [9007199254740993n,        "9007199254740993", "9007199254740993",      "int64"],
  [0.5,                      "0.5",              "0.5",                   "float64"],
  [new Double(3),            "3",                "3",                     "float64"],
  [new Double(3000000),      "3e+06",            "3000000",               "float64"],
  [[1, "x", [true]],         "[1 x [true]]",     '[1,"x",[true]]',        "[]interface {}"],
  [{ b: 1, a: { c: null } }, "map[a:map[c:<nil>] b:1]", '{"a":{"c":null},"b":1}', "map[string]interface {}"],
  [{},                       "map[]",            "{}",                    "map[string]interface {}"],
];

test.each(values)("value %#", (value, v, json, type) => {
  expect(formatGoValue(value)).toBe(v);
  expect(formatGoJson(value)).toBe(json);
  expect(goTypeName(value)).toBe(type);
});

test("keys are sorted by code point, not by UTF-16 unit", () => {
  expect(formatGoJson({ "\u{10000}": 1, "\uff00": 2 })).toBe('{"\uff00":2,"\u{10000}":1}');
});
