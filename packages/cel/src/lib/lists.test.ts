import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Range } from "../cost/formula.ts";
import { exactly, MAX, range, UNKNOWN } from "../cost/range.ts";
import { equal } from "../value/equal.ts";
import { celError } from "../value/error.ts";
import { DYN } from "../value/type.ts";
import { Double, Duration, type ListValue, Timestamp, Uint, type Value } from "../value/value.ts";
import { call, rowOf } from "./library.testing.ts";
import { listsLibrary } from "./lists.ts";

const library = listsLibrary();
const bytes = (...values: number[]) => new Uint8Array(values);

// biome-ignore format: one version per line
test.each([
  { version: 0, names: ["slice"],                                                                                              macros: 0 },
  { version: 1, names: ["slice", "flatten"],                                                                                   macros: 0 },
  { version: 2, names: ["slice", "flatten", "sort", "@sortByAssociatedKeys", "lists.range", "reverse", "distinct"],            macros: 1 },
  { version: 3, names: ["slice", "flatten", "sort", "@sortByAssociatedKeys", "lists.range", "reverse", "distinct"],            macros: 1 },
])("version $version has its functions", ({ version, names, macros }) => {
  const lib = listsLibrary(version);
  expect([...new Set(lib.overloads.map((row) => row.name))]).toEqual(names);
  expect(lib.macros).toHaveLength(macros);
  expect(new Set(lib.overloads.map((row) => row.id)).size).toBe(lib.overloads.length);
  expect(lib.overloads.every((row) => row.cost.fixed === 1)).toBe(version < 3);
});

test("sort has an overload per type with an order, in upstream's names", () => {
  expect(library.overloads.filter((row) => row.name === "sort").map((row) => row.id)).toEqual([
    "list_int_sort",
    "list_uint_sort",
    "list_double_sort",
    "list_bool_sort",
    "list_google.protobuf.Duration_sort",
    "list_google.protobuf.Timestamp_sort",
    "list_string_sort",
    "list_bytes_sort",
  ]);
});

const BY = "list_int_sortByAssociatedKeys";
// biome-ignore format: one case per line
const cases: [id: string, args: unknown[], want: unknown][] = [
  ["list_slice",       [[1, 2, 3, 4], 1, 3],           [2, 3]],
  ["list_slice",       [[1, 2], 0, 2],                 [1, 2]],
  ["list_slice",       [[1, 2], 2, 2],                 []],
  ["list_slice",       [[3, 2, 1], -1, 2],             { error: "cannot slice(-1, 2), negative indexes not supported" }],
  ["list_slice",       [[3, 2, 1], 2, 1],              { error: "cannot slice(2, 1), start index must be less than or equal to end index" }],
  ["list_slice",       [[3, 2, 1], 2, 5],              { error: "cannot slice(2, 5), list is length 3" }],
  ["list_slice",       [[3], 0, 9007199254740993n],    { error: "cannot slice(0, 9007199254740993), list is length 1" }],
  ["list_flatten",     [[[1], [2, [3]], 4]],           [1, 2, [3], 4]],
  ["list_flatten",     [[]],                           []],
  ["list_flatten",     [5],                            { error: "no such overload: int.flatten()" }],
  ["list_flatten_int", [[[1], [2, [3, [4]]]], 2],      [1, 2, 3, [4]]],
  ["list_flatten_int", [[[1], [2]], 0],                [[1], [2]]],
  ["list_flatten_int", [[[1], [[2]]], 9223372036854775807n], [1, 2]],
  ["list_flatten_int", [[[1]], -1],                    { error: "level must be non-negative" }],
  ["list_flatten_int", ["a", 2],                       { error: "no such overload: string.flatten(int)" }],
  ["list_flatten_int", [[1], "x"],                     { error: "no such overload: list(dyn).flatten(string)" }],
  ["list_int_sort",    [[3, 1, 2]],                    [1, 2, 3]],
  ["list_int_sort",    [[9007199254740993n, -9007199254740993n, 0]], [-9007199254740993n, 0, 9007199254740993n]],
  ["list_uint_sort",   [[new Uint(3), new Uint(1)]],   [new Uint(1), new Uint(3)]],
  ["list_double_sort", [[2.5, new Double(-1), 0.5]],   [new Double(-1), 0.5, 2.5]],
  ["list_double_sort", [[new Double(2), Number.NaN, new Double(1)]], [new Double(2), Number.NaN, new Double(1)]],
  ["list_bool_sort",   [[true, false, true]],          [false, true, true]],
  ["list_string_sort", [["b", "", "a", "\u{1f600}", "\uffee"]], ["", "a", "b", "\uffee", "\u{1f600}"]],
  ["list_bytes_sort",  [[bytes(2), bytes(1, 5), bytes()]], [bytes(), bytes(1, 5), bytes(2)]],
  ["list_google.protobuf.Duration_sort",  [[new Duration(5, 0), new Duration(-1, 0)]], [new Duration(-1, 0), new Duration(5, 0)]],
  ["list_google.protobuf.Timestamp_sort", [[new Timestamp(5, 1), new Timestamp(5, 0)]], [new Timestamp(5, 0), new Timestamp(5, 1)]],
  ["list_int_sort",    [[1, "a"]],                     { error: "list elements must have the same type" }],
  ["list_int_sort",    [[new Uint(1), 1]],             { error: "list elements must have the same type" }],
  ["list_int_sort",    [[[1]]],                        { error: "list elements must be comparable" }],
  ["list_int_sort",    [[null]],                       { error: "list elements must be comparable" }],
  ["list_int_sort",    [[{}, {}]],                     { error: "list elements must be comparable" }],
  ["list_int_sort",    [1],                            { error: "no such overload: sort" }],
  ["list_int_sort",    [{}],                           { error: "no such overload: sort" }],
  [BY,                 [["foo", "bar", "baz"], [3, 1, 2]], ["bar", "baz", "foo"]],
  [BY,                 [[], []],                       []],
  [BY,                 [[1], [[1]]],                   { error: "list elements must be comparable" }],
  [BY,                 [[1, 2], [1]],                  { error: "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got 2 and 1 elements respectively" }],
  ["lists_range",      [3],                            [0, 1, 2]],
  ["lists_range",      [0],                            []],
  ["lists_range",      [-4],                           { error: "lists.range: size must be non-negative, got -4" }],
  ["list_reverse",     [[1, "a", 2]],                  [2, "a", 1]],
  ["list_reverse",     [[]],                           []],
  ["list_distinct",    [[1, new Double(1), new Uint(1), "1", 1]], [1, "1"]],
  ["list_distinct",    [[Number.NaN, Number.NaN]],     [Number.NaN, Number.NaN]],
  ["list_distinct",    [[[1], [new Double(1)], { a: 1 }, { a: 1 }]], [[1], { a: 1 }]],
  ["list_distinct",    [[null, null, false, 0]],       [null, false, 0]],
];
test.each(cases)("%s %o", (id, args, want) => expect(call(library, id, ...args)).toEqual(want));

test("lists.range makes long lists without keeping them, and none that are too long", () => {
  const list = call(library, "lists_range", 900_000) as ListValue;
  expect(list.size).toBe(900_000);
  expect(list.get(899_999)).toBe(899_999);
  const refused = { error: "lists.range: size 9000000000000 exceeds maximum allowed (1000000)" };
  expect(call(library, "lists_range", 9_000_000_000_000)).toEqual(refused);
  const failed = celError("invalid_argument", refused.error);
  expect(rowOf(library, "lists_range").cost.actual([9_000_000_000_000], failed)).toBe(12);
});

test("a list that contains itself cannot be flattened", () => {
  const list: unknown[] = [];
  list.push(list);
  expect(call(library, "list_flatten_int", list, 5000)).toEqual({
    error: "lists nested deeper than 1000 levels cannot be flattened",
  });
  expect(call(library, "list_flatten", list)).toEqual([list]);
});

test("a million elements are no problem", () => {
  const list = Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1000);
  expect(call(library, "list_distinct", list)).toHaveLength(1000);
  expect((call(library, "list_reverse", list) as number[])[0]).toBe(list.at(-1));
});

describe("against naive models", () => {
  const leaf = fc.integer({ min: -5, max: 5 });
  const nested = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, leaf, fc.array(tie("value"), { maxLength: 4 })),
  })).value;
  const element = fc.oneof(
    leaf,
    leaf.map((n) => new Double(n)),
    leaf.map((n) => new Uint(Math.abs(n))),
    fc.constantFrom("a", "b", null, [1]),
  );

  test("slice", () => {
    fc.assert(
      fc.property(fc.array(leaf), fc.nat(20), fc.nat(20), (list, a, b) => {
        const got = call(library, "list_slice", list, a, b);
        if (a <= b && b <= list.length) expect(got).toEqual(list.slice(a, b));
        else expect(got).toHaveProperty("error");
      }),
    );
  });
  test("flatten", () => {
    fc.assert(
      fc.property(fc.array(nested, { maxLength: 5 }), fc.nat(4), (list, depth) => {
        expect(call(library, "list_flatten_int", list, depth)).toEqual(list.flat(depth));
      }),
    );
  });
  test("sort", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (list) => {
        const codePoints = (s: string) => Array.from(s, (c) => c.codePointAt(0) as number);
        const byCodePoint = (a: string, b: string) => {
          const [x, y] = [codePoints(a), codePoints(b)];
          const i = x.findIndex((c, at) => c !== y[at]);
          return i === -1 ? x.length - y.length : (x[i] as number) - (y[i] ?? -1);
        };
        expect(call(library, "list_string_sort", list)).toEqual(list.toSorted(byCodePoint));
      }),
    );
  });
  test("distinct", () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 50 }), (list: Value[]) => {
        const kept: Value[] = [];
        for (const elem of list) if (!kept.some((other) => equal(elem, other) === true)) kept.push(elem);
        expect(call(library, "list_distinct", list)).toEqual(kept);
      }),
    );
  });
});

describe("costs", () => {
  const int = (literal: number) => ({ type: DYN, size: exactly(1), sizeKnown: true, literal });
  const unknownInt = { type: DYN, size: exactly(1), sizeKnown: true };
  const sized = (size: Range) => ({ type: DYN, size, sizeKnown: true });

  // biome-ignore format: one case per line
  test.each([
    { id: "list_slice",       args: [sized(range(0, 9)), int(1), int(3)],    cost: exactly(13),            size: exactly(2) },
    { id: "list_slice",       args: [sized(range(0, 9)), unknownInt, unknownInt], cost: exactly(20),       size: exactly(9) },
    { id: "list_slice",       args: [sized(range(0, 9)), int(3), int(1)],    cost: exactly(MAX),           size: exactly(MAX - 1n) },
    { id: "lists_range",      args: [int(5)],                                cost: exactly(16),            size: exactly(5) },
    { id: "lists_range",      args: [int(-5)],                               cost: exactly(11),            size: exactly(0) },
    { id: "lists_range",      args: [unknownInt],                            cost: exactly(MAX),           size: exactly(MAX) },
    { id: "list_reverse",     args: [sized(range(0, 9))],                    cost: range(11, 20),          size: range(0, 9) },
    { id: "list_flatten",     args: [sized(range(1, 9))],                    cost: range(12, 20),          size: range(1, 9) },
    { id: "list_flatten_int", args: [sized(range(1, 9)), int(3)],            cost: range(14, 38),          size: range(1, 9) },
    { id: "list_flatten_int", args: [sized(range(0, 9)), unknownInt],        cost: range(11, MAX),         size: range(0, 9) },
    { id: "list_distinct",    args: [sized(range(0, 5))],                    cost: range(11, 61),          size: range(0, 25) },
    { id: "list_int_sort",    args: [sized(range(0, 5))],                    cost: range(11, 61),          size: range(0, 25) },
    { id: "list_string_sort", args: [sized(range(1, 5))],                    cost: range(14, 64),          size: range(1, 25) },
    { id: BY,                 args: [sized(UNKNOWN), sized(range(0, 2))],    cost: range(11, 19),          size: range(0, 4) },
  ])("estimate of $id", ({ id, args, cost, size }) => expect(rowOf(library, id).cost.estimate(args)).toEqual({ cost, size }));

  // biome-ignore format: one case per line
  test.each([
    { id: "list_slice",       args: [[1, 2, 3], 0, 2],   result: [1, 2],    cost: 13 },
    { id: "lists_range",      args: [3],                 result: [0, 1, 2], cost: 14 },
    { id: "list_reverse",     args: [[1, 2]],            result: [2, 1],    cost: 13 },
    { id: "list_flatten",     args: [[[1], [2]]],        result: [1, 2],    cost: 13 },
    { id: "list_flatten_int", args: [[[1], [2]], 3],     result: [1, 2],    cost: 17 },
    { id: "list_flatten_int", args: [[[1]], -1],         result: null,      cost: 12 },
    { id: "list_distinct",    args: [[1, 2, 3]],         result: null,      cost: 29 },
    { id: "list_distinct",    args: [["a", "b", "c"]],   result: null,      cost: 29 },
    { id: "list_distinct",    args: [["a", "b", "c", "d"]], result: null,   cost: 44 },
    { id: "list_int_sort",    args: [[]],                result: null,      cost: 11 },
    { id: "list_string_sort", args: [["a", "b", "c", "d"]], result: null,   cost: 44 },
    { id: BY,                 args: [["a", "b"], [2, 1]], result: null,     cost: 19 },
  ])("charge of $id", ({ id, args, result, cost }) => expect(rowOf(library, id).cost.actual(args, result)).toBe(cost));
});
