// Each row of a table accepts certain values and converts them; without a row there is an error.

import { describe, expect, test } from "vitest";
import { fixed } from "../cost/formulas.ts";
import { show } from "../run/show.testing.ts";
import { CelMap } from "../value/collection/map.ts";
import { celError } from "../value/error.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  optionalOf,
  param,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
  wrapper,
} from "../value/type.ts";
import { Double, Duration, Optional, Timestamp, Uint, type Value } from "../value/value.ts";
import { dispatch, fits, fitsAll, invoke } from "./dispatch.ts";
import { fn, type Overload, operator } from "./overload.ts";

const map = new CelMap();
map.set(1, "a");

const VALUES: Readonly<Record<string, Value>> = {
  bool: true,
  int: 1,
  bigint: 2n ** 60n,
  uint: new Uint(1),
  double: 1.5,
  whole: new Double(1),
  nan: Number.NaN,
  string: "a",
  bytes: new Uint8Array(1),
  null: null,
  timestamp: new Timestamp(0, 0),
  duration: new Duration(1, 0),
  list: [1],
  strings: ["a"],
  empty: [],
  object: { a: 1 },
  map,
  none: Optional.none,
  type: INT,
};

// biome-ignore format: one type per line
const accepted: readonly (readonly [Type, string])[] = [
  [DYN,                   Object.keys(VALUES).join(" ")],
  [param("T"),            Object.keys(VALUES).join(" ")],
  [BOOL,                  "bool"],
  [INT,                   "int bigint"],
  [UINT,                  "uint"],
  [DOUBLE,                "double whole nan"],
  [STRING,                "string"],
  [BYTES,                 "bytes"],
  [NULL,                  "null"],
  [TIMESTAMP,             "timestamp"],
  [DURATION,              "duration"],
  [TYPE,                  "type"],
  [wrapper(INT),          "int bigint null"],
  [listOf(DYN),           "list strings empty"],
  [listOf(INT),           "list empty"],
  [listOf(STRING),        "strings empty"],
  [mapOf(DYN, DYN),       "object map"],
  [mapOf(STRING, INT),    "object"],
  [mapOf(INT, STRING),    "map"],
  [optionalOf(INT),       "none"],
];

describe("fits", () => {
  test.each(accepted)("%s", (type, want) => {
    expect(
      Object.keys(VALUES)
        .filter((name) => fits(type, VALUES[name]))
        .join(" "),
    ).toBe(want);
  });

  test("looks at the first element or entry alone", () => {
    expect(fits(listOf(INT), [1, "a"])).toBe(true);
    expect(fits(listOf(INT), ["a", 1])).toBe(false);
    expect(fits(mapOf(STRING, INT), { a: 1, b: "x" })).toBe(true);
    expect(fits(mapOf(STRING, INT), { a: undefined, b: "x" })).toBe(false);
  });
});

describe("calling", () => {
  const half = fn("half", "half_double", [DOUBLE], DOUBLE, fixed(1), (n) => n / 2);
  const next = fn("next", "next_uint", [UINT], UINT, fixed(1), (n) => BigInt(n) + 1n);
  const rows: readonly Overload[] = [
    fn("f", "f_int", [INT], STRING, fixed(1), (n) => `int ${n}`),
    fn("f", "f_string", [STRING], STRING, fixed(1), (s) => `string ${s}`),
    fn("f", "f_two", [INT, DYN], STRING, fixed(1), (n) => `two ${n}`),
  ];

  test("gives doubles and uints bare, and boxes them again", () => {
    expect(show(invoke(half, half.call!, [new Double(4)]))).toBe("double(2)");
    expect(show(invoke(half, half.call!, [0.5]))).toBe("double(0.25)");
    expect(show(invoke(next, next.call!, [new Uint(2n ** 60n)]))).toBe("1152921504606846977u");
  });

  test("chooses the overload that fits", () => {
    expect(dispatch("f", rows, [1])).toBe("int 1");
    expect(dispatch("f", rows, ["a"])).toBe("string a");
    expect(dispatch("f", rows, [1, null])).toBe("two 1");
  });

  test("reports the given types if none fits", () => {
    expect(dispatch("f", rows, [true])).toMatchObject({
      code: "no_such_overload",
      message: "no such overload: f(bool)",
    });
    expect(dispatch("f", rows, ["a", 1])).toMatchObject({ message: "no such overload: f(string, int)" });
    expect(dispatch("f", rows, [[1]])).toMatchObject({ message: "no such overload: f(list)" });
  });

  test("operators say less", () => {
    const plus = operator(fn("_+_", "add_int64", [INT, INT], INT, fixed(1), (a, b) => Number(a) + Number(b)));
    expect(dispatch("_+_", [plus], [1, 2])).toBe(3);
    expect(dispatch("_+_", [plus], [1, "a"])).toMatchObject({ message: "no such overload" });
    expect(dispatch("_+_", [plus], [true, 1])).toMatchObject({ message: "no such overload: _+_" });
  });

  test("errors fit no row but one that asks for them", () => {
    const failed = celError("internal", "failed");
    expect(fitsAll(rows[0]!, [failed])).toBe(false);
    expect(fitsAll({ ...rows[0]!, nonStrict: true }, [failed])).toBe(true);
  });
});
