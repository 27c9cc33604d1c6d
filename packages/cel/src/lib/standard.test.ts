import { describe, expect, test } from "vitest";
import { CelMap } from "../value/collection/map.ts";
import { CelError } from "../value/error.ts";
import { parseDuration, parseTimestamp } from "../value/time/time.ts";
import { BOOL, DOUBLE, formatType, INT, STRING, type Type, UINT } from "../value/type.ts";
import { Optional } from "../value/value.ts";
import type { Library, Overload } from "./library.ts";
import { optionalLibrary } from "./optional.ts";
import { numericComparisons, standardLibrary } from "./standard.ts";

const row = (library: Library, id: string): Overload => {
  const found = library.overloads.find((overload) => overload.id === id);
  if (found === undefined) throw new Error(`no overload ${id}`);
  return found;
};
const show = (v: unknown): unknown => (v instanceof CelError ? v.message : v);

describe("the standard table", () => {
  test("has every overload of the reference once", () => {
    const ids = standardLibrary.overloads.map((overload) => overload.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(138);
    expect(numericComparisons.overloads.map((overload) => overload.id)).toEqual(
      ["less", "less_equals", "greater", "greater_equals"].flatMap((relation) =>
        ["int64_double", "int64_uint64", "double_int64", "double_uint64", "uint64_int64", "uint64_double"].map(
          (types) => `${relation}_${types}`,
        ),
      ),
    );
  });

  test("leaves to the planner only functions that must not be evaluated as calls", () => {
    const declared = standardLibrary.overloads.filter((overload) => overload.call === undefined);
    expect(declared.map((overload) => overload.id)).toEqual([
      "conditional",
      "logical_and",
      "logical_or",
      "index_list",
      "index_map",
    ]);
  });

  test("treats operators, size and the string tests alike", () => {
    const names = new Set(
      standardLibrary.overloads.filter((overload) => overload.operator).map((overload) => overload.name),
    );
    // biome-ignore format: as in the tables
    expect([...names]).toEqual([
      "_?_:_", "_&&_", "_||_", "!_", "@not_strictly_false", "_==_", "_!=_", "_+_", "_/_", "_%_", "_*_", "-_", "_-_", "_[_]", "@in",
      "_<_", "_<=_", "_>_", "_>=_", "size", "contains", "endsWith", "startsWith", "matches",
    ]);
  });
});

const ts = parseTimestamp("2024-02-29T12:34:56.789Z");
const nan = Number.NaN;

// biome-ignore format: one case per line
const calls: readonly (readonly [id: string, args: readonly unknown[], want: unknown, cost: number])[] = [
  ["logical_not",                  [true],                                     false,    1],
  ["not_strictly_false",           [false],                                    false,    1],
  ["not_strictly_false",           [new CelError("internal", "x")],            true,     1],
  ["equals",                       ["a".repeat(25), "a".repeat(30)],           false,    3],
  ["equals",                       [1, 1],                                     true,     1],
  ["not_equals",                   [[1, 2], [1, 3]],                           true,     1],
  ["not_equals",                   [[], [1]],                                  true,     0],
  ["add_int64",                    [9007199254740991, 1],                      9007199254740992n, 1],
  ["add_uint64",                   [18446744073709551615n, 1],                 "unsigned integer overflow", 1],
  ["add_string",                   ["abcdefgh", "xyz"],                        "abcdefghxyz", 2],
  ["add_list",                     [[1], [2]],                                 [1, 2],   1],
  ["add_double",                   [0.5, 0.5],                                 1,        1],
  ["divide_double",                [1, 0],                                     Number.POSITIVE_INFINITY, 1],
  ["negate_double",                [0],                                        -0,       1],
  ["in_list",                      [2, [1, 2, 3]],                             true,     3],
  ["in_map",                       ["a", { a: null }],                         true,     1],
  ["in_map",                       [1, CelMap.from([[2, 1]])],                 false,    1],
  ["less_int64",                   [9007199254740993n, 1],                     false,    1],
  ["less_double",                  [nan, 1],                                   "NaN values cannot be ordered", 1],
  ["greater_equals_double",        [1, 1],                                     true,     1],
  ["less_bool",                    [false, true],                              true,     1],
  ["less_equals_string",           ["a".repeat(20), "b"],                      true,     1],
  ["greater_bytes",                [new Uint8Array(15), new Uint8Array(12)],   true,     2],
  ["size_string",                  ["na\u00efve 😀"],                          7,        1],
  ["map_size",                     [{ a: 1 }],                                 1,        1],
  ["bytes_size",                   [new Uint8Array(4)],                        4,        1],
  ["contains_string",              ["hello world", "lo"],                      true,     2],
  ["starts_with_string",           ["hello world!", "he"],                     true,     1],
  ["ends_with_string",             ["hello", "lo"],                            true,     1],
  ["matches_string",               ["hello world", "^[a-z ]+$"],               true,     6],
  ["matches",                      ["hello", "("],                             "error parsing regexp: missing closing ): `(`", 1],
  ["string_to_int64",              ["x"],                                      "type conversion error from 'string' to 'int'", 1],
  ["bytes_to_string",              [new Uint8Array([0xc3, 0xa9])],             "é",      1],
  ["to_dyn",                       [1],                                        1,        1],
  ["type",                         [true],                                     BOOL,     1],
  ["timestamp_to_year",            [ts],                                       2024,     1],
  ["timestamp_to_day_of_year",     [ts],                                       59,       1],
  ["timestamp_to_hours_with_tz",   [ts, "Asia/Kolkata"],                       18,       1],
  ["timestamp_to_seconds_tz",      [ts, "+00:00"],                             56,       1],
  ["timestamp_to_milliseconds",    [ts],                                       789,      1],
  ["duration_to_minutes",          [parseDuration("1h30m59s")],                90,       1],
];
test.each(calls)("%s(%o)", (id, args, want, cost) => {
  const { call, cost: formula } = row(standardLibrary, id);
  const result = call?.(...args);
  expect(show(result)).toEqual(want);
  expect(formula.actual(args, result)).toBe(cost);
});

test("integers and doubles compare as the reference compares them", () => {
  const less = (id: string, a: unknown, b: unknown): unknown => show(row(numericComparisons, id).call?.(a, b));
  expect(less("less_int64_double", 9223372036854775807n, 2 ** 63)).toBe(false);
  expect(less("less_equals_int64_double", 9223372036854775807n, 2 ** 63)).toBe(true);
  expect(less("less_int64_uint64", 9223372036854775807n, 9223372036854775808n)).toBe(true);
  expect(less("greater_uint64_int64", 0, -1)).toBe(true);
  expect(less("greater_double_uint64", nan, 1)).toBe("NaN values cannot be ordered");
});

test("a constant pattern is compiled once", () => {
  const { specialize } = row(standardLibrary, "matches_string");
  const special = specialize?.([undefined, "^a+$"]);
  expect(typeof special === "function" && special("aaa", "^a+$")).toBe(true);
  expect(show(specialize?.([undefined, "("]))).toMatch("missing closing )");
  expect(specialize?.(["text", undefined])).toBeUndefined();
});

describe("the optional table", () => {
  const library = optionalLibrary();
  const call = (id: string, ...args: unknown[]): unknown => show(row(library, id).call?.(...args));

  test("grows with its version", () => {
    const names = (version: number): number => optionalLibrary(version).overloads.length;
    expect([names(0), names(1), names(2)]).toEqual([14, 14, 18]);
    expect(optionalLibrary(0).macros?.map((macro) => macro.name)).toEqual(["optMap"]);
    expect(library.macros?.map((macro) => macro.name)).toEqual(["optMap", "optFlatMap"]);
  });

  test("values come out as they went in", () => {
    expect(call("optional_value", call("optional_of", null))).toBe(null);
    expect(call("optional_value", call("optional_none"))).toBe("optional.none() dereference");
    expect(call("optional_hasValue", Optional.none)).toBe(false);
    expect(call("list_first", [1, 2])).toEqual(Optional.of(1));
    expect(call("list_last", [1, 2])).toEqual(Optional.of(2));
    expect(call("list_last", [])).toBe(Optional.none);
    expect(call("optional_unwrap", [Optional.of(1), Optional.none, Optional.of(null)])).toEqual([1, null]);
    expect(call("optional_unwrapOpt", [Optional.of(1), 2])).toBe("value 2 is not optional");
  });

  const zero = parseTimestamp("0001-01-01T00:00:00Z");
  // biome-ignore format: zero on one line, others on the next
  test.each([
    [true,  [0, "", false, null, [], {}, new CelMap(), new Uint8Array(), parseDuration("0s"), zero, 0n]],
    [false, [1, "a", true, [null], { a: 1 }, Number.NaN, ts, parseDuration("1ns"), INT, Optional.none, 0.5]],
  ])("ofNonZeroValue: zero %s", (isZero, values) => {
    for (const value of values) expect((call("optional_ofNonZeroValue", value) as Optional).hasValue).toBe(!isZero);
  });

  test("chains are estimated but not charged", () => {
    const { cost } = row(library, "optional_orValue_value");
    expect([cost.estimate([]).cost, cost.actual([], 1)]).toEqual([{ min: 1n, max: 1n }, 0]);
  });
});

test("signatures read as the reference prints them", () => {
  const signature = ({ name, args, result, member }: Overload): string => {
    const [receiver, ...rest] = args.map((type: Type) => formatType(type));
    return member
      ? `${receiver}.${name}(${rest.join(", ")}) -> ${formatType(result)}`
      : `${name}(${args.map((type: Type) => formatType(type)).join(", ")}) -> ${formatType(result)}`;
  };
  expect(signature(row(standardLibrary, "type"))).toBe("type(A) -> type(A)");
  expect(signature(row(standardLibrary, "in_map"))).toBe("@in(A, map(A, B)) -> bool");
  expect(signature(row(optionalLibrary(), "optional_orValue_value"))).toBe("optional_type(V).orValue(V) -> V");
  expect([INT, UINT, DOUBLE, STRING].map(formatType)).toEqual(["int", "uint", "double", "string"]);
});
