import { boxDouble } from "@celadon/base";
import { expect, test } from "vitest";
import { bareDouble, isDouble, isInt, isList, isMap, isPlainObject } from "./box.ts";
import { CelMap } from "./collection/map.ts";
import { CelError } from "./error.ts";
import { INT, opaque, type Type } from "./type.ts";
import { goTypeName, typeName } from "./type-of.ts";
import { Double, Duration, Opaque, Optional, Timestamp, Uint } from "./value.ts";

class Celsius extends Opaque {
  readonly type: Type = opaque("example.Celsius");
  override readonly goType = "example.Celsius";
  equals(): boolean {
    return false;
  }
}

// biome-ignore format: one case per line
const cases: readonly (readonly [value: unknown, type: string, go: string])[] = [
  [null,                      "null_type",                 "types.Null"],
  [undefined,                 "null_type",                 "types.Null"],
  [true,                      "bool",                      "types.Bool"],
  [1,                         "int",                       "types.Int"],
  [-0,                        "int",                       "types.Int"],
  [9007199254740993n,         "int",                       "types.Int"],
  [2 ** 53,                   "double",                    "types.Double"],
  [1.5,                       "double",                    "types.Double"],
  [Number.NaN,                "double",                    "types.Double"],
  [new Double(1),             "double",                    "types.Double"],
  [new Uint(1),               "uint",                      "types.Uint"],
  ["",                        "string",                    "types.String"],
  [new Uint8Array(),          "bytes",                     "types.Bytes"],
  [[],                        "list",                      "*types.baseList"],
  [{},                        "map",                       "*types.baseMap"],
  [Object.create(null),       "map",                       "*types.baseMap"],
  [new CelMap(),              "map",                       "*types.baseMap"],
  [new Duration(1, 0),        "google.protobuf.Duration",  "types.Duration"],
  [new Timestamp(1, 0),       "google.protobuf.Timestamp", "types.Timestamp"],
  [Optional.none,             "optional_type",             "*types.Optional"],
  [INT,                       "type",                      "*types.Type"],
  [new Celsius(),             "example.Celsius",           "example.Celsius"],
  [new Date(),                "*error*",                   "*error*"],
  [() => 1,                   "*error*",                   "*error*"],
  [new CelError("internal", "x"), "*error*",               "*types.Err"],
];

test.each(cases)("%o is a %s", (value, type, go) => {
  expect(typeName(value)).toBe(type);
  expect(goTypeName(value)).toBe(go);
});

test("doubles are boxed exactly when a plain number would be an int", () => {
  for (const n of [0, -0, 1, -5, Number.MAX_SAFE_INTEGER]) {
    const boxed = boxDouble(n);
    expect(boxed).toBeInstanceOf(Double);
    expect(Object.is(bareDouble(boxed), n)).toBe(true);
  }
  for (const n of [0.5, 2 ** 53, -(2 ** 63), Number.NaN, Number.POSITIVE_INFINITY]) expect(boxDouble(n)).toBe(n);
});

test("kinds do not overlap", () => {
  for (const v of [1, 1n, 1.5, new Double(1), new Uint(1), [], {}, new CelMap(), "a", null]) {
    expect([isInt(v), isDouble(v), v instanceof Uint, isList(v), isMap(v)].filter(Boolean).length).toBeLessThanOrEqual(
      1,
    );
  }
});

test("objects of classes are not maps", () => {
  expect(isPlainObject(new Date())).toBe(false);
  expect(isPlainObject(new Map())).toBe(false);
  expect(isPlainObject(Object.create({ inherited: 1 }))).toBe(false);
  expect(isPlainObject(JSON.parse('{"__proto__": 1}'))).toBe(true);
});
