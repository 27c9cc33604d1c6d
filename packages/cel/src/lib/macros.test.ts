// The macros of the extension libraries expand, or report why they cannot.

import { describe, expect, test } from "vitest";
import { DYN } from "../value/type.ts";
import { bindingsLibrary } from "./bindings.ts";
import { blockLibrary, blockVariables } from "./block.ts";
import { expansion } from "./expansion.testing.ts";
import { listsLibrary } from "./lists.ts";
import { mathLibrary } from "./math.ts";
import { protosLibrary } from "./protos.ts";

const libraries = [bindingsLibrary(), mathLibrary(), listsLibrary(), protosLibrary];
const KEYS = "fold(@__sortBy_input__, x, @result = [], true, _+_(@result, [-_(x)]), @result)";
const NOT_SORTABLE = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";

// biome-ignore format: one case per line
const cases: [text: string, want: string][] = [
  ["cel.bind(t, 1, t + t)",           "fold([], #unused, t = 1, false, t, _+_(t, t))"],
  ["cel.bind(a.b, 1, 2)",             "10: cel.bind() variable names must be simple identifiers"],
  ["cel.bind(t, 1)",                  "cel.bind(t, 1)"],
  ["other.bind(t, 1, t)",             "other.bind(t, 1, t)"],
  ["bind(t, 1, t)",                   "bind(t, 1, t)"],
  ["a.cel.bind(t, 1, t)",             "a.cel.bind(t, 1, t)"],
  ["math.greatest(a)",                "math.@max(a)"],
  ["math.greatest(1)",                "math.@max(1)"],
  ["math.greatest([1, a, 2u])",       "math.@max([1, a, Uint])"],
  ["math.greatest(1, 2.0)",           "math.@max(1, Double)"],
  ["math.least(a.b, f(c))",           "math.@min(a.b, f(c))"],
  ["math.least(1, 2, 3)",             "math.@min([1, 2, 3])"],
  ["greatest(1, 2)",                  "greatest(1, 2)"],
  ["m.greatest(1, 2)",                "m.greatest(1, 2)"],
  ["math.greatest()",                 "0: math.greatest() requires at least one argument"],
  ["math.least('a')",                 "11: math.least() invalid single argument value"],
  ["math.greatest([])",               "14: math.greatest() invalid single argument value"],
  ["math.greatest([1, 'a'])",         "14: math.greatest() invalid single argument value"],
  ["math.least({})",                  "11: math.least() invalid single argument value"],
  ["math.least(1, 'a')",              "14: math.least() simple literal arguments must be numeric"],
  ["math.least([1], 2)",              "11: math.least() simple literal arguments must be numeric"],
  ["math.greatest(1, 2, true, '')",   "20: math.greatest() simple literal arguments must be numeric"],
  ["l.sortBy(x, -x)",                 `fold([], #unused, @__sortBy_input__ = l, false, @__sortBy_input__, @__sortBy_input__.@sortByAssociatedKeys(${KEYS}))`],
  ["[1].sortBy(x, -x)",               `fold([], #unused, @__sortBy_input__ = [1], false, @__sortBy_input__, @__sortBy_input__.@sortByAssociatedKeys(${KEYS}))`],
  ["'a'.sortBy(x, x)",                `0: ${NOT_SORTABLE}`],
  ["{}.sortBy(x, x)",                 `0: ${NOT_SORTABLE}`],
  ["M{}.sortBy(x, x)",                `1: ${NOT_SORTABLE}`],
  ["l.sortBy(x.y, x)",                "10: argument is not an identifier"],
  ["l.sortBy(__result__, 1)",         "9: iteration variable overwrites accumulator variable"],
  ["proto.getExt(msg, a.b.c)",        "msg.`a.b.c`"],
  ["proto.hasExt(msg.m, a.b)",        "has(msg.m.`a.b`)"],
  ["proto.getExt(msg, a)",            "18: invalid extension field"],
  ["proto.getExt(msg, a.f().c)",      "23: invalid extension field"],
  ["proto.hasExt(msg, has(a.b).c)",   "26: invalid extension field"],
  ["protos.getExt(msg, a.b)",         "protos.getExt(msg, a.b)"],
];
test.each(cases)("%s", (text, want) => expect(expansion(text, ...libraries)).toBe(want));

describe("block", () => {
  // biome-ignore format: one case per line
  test.each([
    ["cel.block([1, cel.index(0) + 1], cel.index(1))",           "cel.@block([1, _+_(@index0, 1)], @index1)"],
    ["[1].exists(cel.iterVar(0, 1), cel.iterVar(0, 1) > 0)",     "fold([1], @it:0:1, @result = false, @not_strictly_false(!_(@result)), _||_(@result, _>_(@it:0:1, 0)), @result)"],
    ["cel.accuVar(1, 2)",                                        "@ac:1:2"],
    ["cel.bind(x, 1, x)",                                        "fold([], #unused, x = 1, false, x, x)"],
    ["cel.block(x, 1)",                                          "10: cel.block requires the first arg to be a list literal"],
    ["cel.index(-1)",                                            "10: cel.index requires a single non-negative int constant arg"],
    ["cel.index(x)",                                             "10: cel.index requires a single non-negative int constant arg"],
    ["cel.iterVar(0, x)",                                        "15: cel.iterVar requires two non-negative int constant args"],
    ["cel.accuVar('a', 0)",                                      "12: cel.accuVar requires two non-negative int constant args"],
    ["block([1], 2)",                                            "block([1], 2)"],
  ])("%s", (text, want) => expect(expansion(text, blockLibrary)).toBe(want));

  test("declares cel.@block and its variables", () => {
    expect(blockLibrary.overloads.map((row) => row.id)).toEqual(["cel_block_list"]);
    expect(bindingsLibrary(0).overloads).toEqual([]);
    expect([...blockVariables(2)]).toEqual([
      ["@index0", DYN],
      ["@index1", DYN],
    ]);
  });
});
