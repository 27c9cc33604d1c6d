import { expect, test } from "vitest";
import { fixed } from "./cost/formulas.ts";
import { describe, describeLibrary } from "./describe.ts";
import { createEnv } from "./env.ts";
import { bindingsLibrary } from "./lib/bindings.ts";
import { fn } from "./lib/library.ts";
import { listsLibrary } from "./lib/lists.ts";
import { mathLibrary } from "./lib/math.ts";
import { setsLibrary } from "./lib/sets.ts";
import { INT, listOf, STRING } from "./value/type.ts";

const description = describe(
  createEnv({
    variables: { names: listOf(STRING) },
    libraries: [bindingsLibrary(), listsLibrary(), mathLibrary(), setsLibrary],
    functions: [fn("own", "own_int", [INT], INT, fixed(3), (n) => n)],
  }),
);
const find = (id: string) => description.functions.find((row) => row.id === id);

test("variables", () => {
  expect(description.variables).toEqual([{ name: "names", type: "list(string)" }]);
});

// biome-ignore format: one case per line
test.each([
  ["own_int",                 "own(int)",                         "int",     "3"],
  ["size_string",             "size(string)",                     "int",     "1"],
  ["starts_with_string",      "string.startsWith(string)",        "bool",    "⌈0.1 · size of argument 1⌉"],
  ["matches_string",          "string.matches(string)",           "bool",    "⌈0.1 · (1 + size of the receiver)⌉ · ⌈0.25 · size of argument 1⌉"],
  ["add_string",              "string + string",                  "string",  "⌈0.1 · (size of the left operand + size of the right operand)⌉"],
  ["in_list",                 "A in list(A)",                     "bool",    "size of the right operand"],
  ["index_map",               "map(A, B)[A]",                     "B",       "1"],
  ["conditional",             "bool ? A : A",                     "A",       "0"],
  ["negate_int64",            "-int",                             "int",     "1"],
  ["list_slice",              "list(T).slice(int, int)",          "list(T)", "11 + size of the result"],
  ["list_sets_contains_list", "sets.contains(list(T), list(T))",  "bool",    "1 + size of argument 1 · size of argument 2"],
])("%s", (id, call, result, cost) => expect(find(id)).toMatchObject({ call, result, cost }));

// biome-ignore format: one case per line
test.each([
  ["add_string",         true],
  ["in_list",            true],
  ["index_map",          true],
  ["conditional",        true],
  ["starts_with_string", false],
  ["size_string",        false],
  ["matches",            false],
  ["own_int",            false],
])("%s is an operator: %s", (id, operator) => expect(find(id)).toMatchObject({ operator }));

test("names that cannot be written are left out", () => {
  expect(description.functions.filter(({ name }) => name.includes("@")).map(({ name }) => name)).toEqual([
    "@in",
    "@in",
  ]);
});

test("macros", () => {
  const calls = description.macros.map(({ call }) => call);
  expect(calls).toEqual(
    expect.arrayContaining(["has(a)", "receiver.all(a, b)", "cel.bind(a, b, c)", "math.greatest(…)"]),
  );
});

test("every row of every library has a cost", () => {
  const unpriced = [listsLibrary(), mathLibrary(), setsLibrary, bindingsLibrary()]
    .flatMap((library) => describeLibrary(library).functions)
    .filter(({ cost }) => cost === undefined);
  expect(unpriced).toEqual([]);
});
