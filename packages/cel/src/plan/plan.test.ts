// The plans of expressions: names resolved, macros recognised, constants folded. Folding decides what evaluations cost, so the costs stand
// beside it.

import { describe, expect, test } from "vitest";
import type { Ast, Expr } from "../ast/expr.ts";
import { createEnv, type Env } from "../env.ts";
import { blockVariables } from "../lib/block.ts";
import {
  bindingsLibrary,
  blockLibrary,
  listsLibrary,
  mathLibrary,
  optionalLibrary,
  stringsLibrary,
  twoVariableLibrary,
} from "../lib/index.ts";
import { DYN, INT, listOf, mapOf, STRING } from "../value/type.ts";
import { children } from "./children.ts";
import { plan } from "./plan.ts";
import { printPlan } from "./print.testing.ts";
import type { Step } from "./step.ts";

const libraries = [
  optionalLibrary(),
  bindingsLibrary(),
  blockLibrary,
  twoVariableLibrary,
  listsLibrary(),
  mathLibrary(),
  stringsLibrary(),
];
const env: Env = createEnv({
  variables: {
    x: DYN,
    y: DYN,
    i: INT,
    s: STRING,
    li: listOf(INT),
    m: mapOf(STRING, DYN),
    "a.b": INT,
    ...Object.fromEntries(blockVariables(2)),
  },
  libraries,
});

const planOf = (expr: string, within: Env = env): Step => within.program(expr, { mode: "interpreted" }).plan.step;
const printed = (expr: string, within?: Env): string => printPlan(planOf(expr, within));

function unchecked(expr: string, within: Env = env): string {
  const program = within.plan(within.parse(expr).ast!, { mode: "interpreted" });
  if (!("plan" in program)) throw new Error(program.message);
  return printPlan(program.plan.step);
}

describe("names and paths", () => {
  // biome-ignore format: one case per line
  const cases = [
    ["x",                                      "g:x"],
    ["a.b",                                    "g:a.b"],
    ["a.b + i",                                "add_int64(g:a.b, g:i)"],
    ["x.a.b[0]['c'][true][1u]",                "g:x.a.b[0].c[true][1u]"],
    ["x[y.a]",                                 "g:x[g:y.a]"],
    ["x[i + 1].c",                             "g:x[add_int64(g:i, 1)].c"],
    ["has(x.a.b)",                             "has(g:x.a.b)"],
    ["x.?a.b[?0]",                             "g:x.?a.b[?0]"],
    ["(x ? x.a : y).b",                        "(g:x ? g:x.a.b : g:y.b)"],
    ["has((x ? x : y).b)",                     "has((g:x ? has(g:x.b) : has(g:y.b)))"],
    ["(x ? 1 : y.a)",                          "(g:x ? (1) : g:y.a)"],
    ["[1, 2][i]",                              "([1, 2])[g:i]"],
    ["{'a': x}.a",                             `(map("a": g:x)).a`],
    ["x.map(v, v.a)[0]",                       "(collect s0 in g:x (s0.a))[0]"],
    ["int",                                    "type(int)"],
    ["optional.of(x).or(optional.none())",     "or(optional_of(g:x), optional_none())"],
    ["optional.of(x).orValue(1)",              "orValue(optional_of(g:x), 1)"],
    ["x && y || !x",                           "or(and(g:x, g:y), logical_not(g:x))"],
    ["x == 1 && y != 2",                       "and(eq(g:x, 1), ne(g:y, 2))"],
    ["x + 1",                                  "add_int64(g:x, 1)"],
    ["x + y",                                  "_+_?(g:x, g:y)"],
    ["size(x)",                                "size?(g:x)"],
    ["[?x.?a, 1]",                             "list(?g:x.?a, 1)"],
    ["{?'a': x.?a}",                           `map(?"a": g:x.?a)`],
  ] as const;
  test.each(cases)("%s", (expr, want) => expect(printed(expr)).toBe(want));
});

describe("shapes of macros", () => {
  // biome-ignore format: one case per line
  const cases = [
    ["li.all(v, v > 0)",                       "all s0 in g:li (greater_int64(s0, 0))"],
    ["li.exists(v, v > 0)",                    "exists s0 in g:li (greater_int64(s0, 0))"],
    ["li.exists_one(v, v > 0)",                "existsOne s0 in g:li (greater_int64(s0, 0))"],
    ["li.map(v, v)",                           "collect s0 in g:li (s0)"],
    ["li.map(v, v > 0, v + 1)",                "collect s0 in g:li (greater_int64(s0, 0) => add_int64(s0, 1))"],
    ["li.filter(v, v > 0)",                    "collect s0 in g:li (greater_int64(s0, 0) => s0)"],
    ["li.all(j, v, v > j)",                    "all s0 s1 in g:li (greater_int64(s1, s0))"],
    ["m.exists(k, v, k == v)",                 "exists s0 s1 in g:m (eq(s0, s1))"],
    ["m.existsOne(k, v, k == v)",              "existsOne s0 s1 in g:m (eq(s0, s1))"],
    ["m.transformList(k, v, k)",               "collect s0 s1 in g:m (s0)"],
    ["m.transformList(k, v, v == 1, k)",       "collect s0 s1 in g:m (eq(s1, 1) => s0)"],
    ["m.transformMap(k, v, [v])",              "collectMap s0 s1 in g:m (s0: list(s1))"],
    ["m.transformMap(k, v, v == 1, k)",        "collectMap s0 s1 in g:m (eq(s1, 1) => s0: s0)"],
    ["m.transformMapEntry(k, v, {v: k})",      "collectMap s0 s1 in g:m (map(s1: s0))"],
    ["cel.bind(v, i + 1, v * v)",              "bind s0 (multiply_int64(lazy s0{add_int64(g:i, 1)}, lazy s0{add_int64(g:i, 1)}))"],
    ["cel.block([i, cel.index(0) + 1], cel.index(1))", "block s0 s1 (lazy s1{add_int64(lazy s0{g:i}, 1)})"],
    ["li.map(v, li.map(w, v + w))",            "collect s0 in g:li (collect s1 in g:li (add_int64(s0, s1)))"],
    ["li.sortBy(v, -v)",                       "bind s0 (list_int_sortByAssociatedKeys(lazy s0{g:li}, collect s1 in lazy s0{g:li} (negate_int64(s1))))"],
  ] as const;
  test.each(cases)("%s", (expr, want) => expect(printed(expr)).toBe(want));

  test("a macro whose part looks at the accumulator stays a fold", () => {
    const { ast } = env.parse("li.all(v, v > 0)") as { ast: Ast };
    const fold = ast.expr as Extract<Expr, { kind: "comprehension" }>;
    const looking: Expr = { kind: "ident", id: 99, name: fold.accuVar };
    const step = fold.step as Extract<Expr, { kind: "call" }>;
    const changed: Ast = { ...ast, expr: { ...fold, step: { ...step, args: [step.args[0]!, looking] } } };
    const planned = plan(changed, env.declarations, {
      presenceTestCost: 1,
      statedPrices: true,
      strictConstants: false,
      specification: false,
      release: 29,
    });
    expect("step" in planned && printPlan(planned.step)).toBe(
      "fold s1 s0 in <li> (true, @not_strictly_false?(s1), and(s1, s1), s1)",
    );
  });

  test("any other comprehension stays a fold", () => {
    const sum: Expr = {
      kind: "comprehension",
      id: 1,
      iterVar: "v",
      iterVar2: "",
      accuVar: "sum",
      range: { kind: "ident", id: 2, name: "li" },
      init: { kind: "literal", id: 3, value: 0 },
      condition: { kind: "literal", id: 4, value: true },
      step: {
        kind: "call",
        id: 5,
        function: "_+_",
        target: undefined,
        args: [
          { kind: "ident", id: 6, name: "sum" },
          { kind: "ident", id: 7, name: "v" },
        ],
      },
      result: { kind: "ident", id: 8, name: "sum" },
    };
    const ast: Ast = { ...env.parse("li").ast!, expr: sum };
    for (const input of [ast, env.check(ast)]) {
      for (const mode of ["interpreted", "compiled"] as const) {
        const program = env.plan(input, { mode });
        if (!("evaluate" in program)) throw new Error(program.message);
        expect(program.plan.step.op).toBe("fold");
        expect(program.evaluate({ li: [1, 2, 3] })).toMatchObject({ value: 6, cost: 11 });
      }
    }
  });
});

describe("folding", () => {
  // biome-ignore format: one case per line
  const cases: readonly (readonly [expr: string, want: string, cost: number])[] = [
    ["[1, 'a', [2.0]]",              `[1, "a", [double(2)]]`,                            0],
    ["{'a': 1, 2: [true]}",          `{"a": 1, 2: [true]}`,                              0],
    ["{'a': i}",                     `map("a": g:i)`,                                    31],
    ["[1, i]",                       "list(1, g:i)",                                     11],
    ["[[1], [i]]",                   "list([1], list(g:i))",                             21],
    ["int('12')",                    "12",                                               0],
    ["string(1.5)",                  `"1.5"`,                                            0],
    ["duration('1h')",               "duration(3600.0)",                                 0],
    ["timestamp('1970-01-01T00:00:00Z')", "timestamp(1970-01-01T00:00:00Z)",             0],
    ["dyn(1)",                       "1",                                                0],
    ["type(1)",                      "type(int)",                                        0],
    ["int('x')",                     "string_to_int64(\"x\")",                           1],
    ["string(i)",                    "int64_to_string(g:i)",                             2],
    ["size('abc')",                  "size_string(\"abc\")",                             1],
    ["1 + 2",                        "add_int64(1, 2)",                                  1],
    ["-(1)",                         "negate_int64(1)",                                  1],
    ["!true",                        "logical_not(true)",                                1],
    ["true && false",                "and(true, false)",                                 0],
    ["true ? 1 : 2",                 "(true ? (1) : (2))",                               0],
    ["1 == 1",                       "eq(1, 1)",                                         1],
    ["i in [1, 2]",                  "inSet(g:i, [1, 2])",                               1],
    ["i in []",                      "false",                                            0],
    ["s in ['a', 'b']",              `inSet(g:s, ["a", "b"])`,                           1],
    ["x in [1, 2.5, 3u]",            "inSet(g:x, [1, double(2.5), 3u])",                 1],
    ["x in [null]",                  "in_list(g:x, [null])",                             2],
    ["[1] in [[1], [2]]",            "in_list([1], [[1], [2]])",                         2],
    ["i in [1, i]",                  "in_list(g:i, list(1, g:i))",                       14],
    ["'a' in {'a': 1}",              `in_map("a", {"a": 1})`,                            1],
    ["s.matches('a+')",              `matches_string!(g:s, "a+")`,                       2],
    ["s.matches(s)",                 "matches_string(g:s, g:s)",                         3],
    ["'%s'.format([i])",             `string_format!("%s", list(g:i))`,                  12],
    ["[?optional.none()]",           "list(?optional_none())",                           11],
    ["{'a': 1, 'a': 2}",             `{"a": 2}`,                                         0],
    ["[1, 2].map(v, 3)",             "collect s0 in [1, 2] (3)",                         5],
    ["math.greatest(1, 2, 3)",       "math_@max_list_int([1, 2, 3])",                    1],
  ];
  test.each(cases)("%s", (expr, want, cost) => {
    expect(printed(expr)).toBe(want);
    for (const mode of ["interpreted", "compiled"] as const)
      expect(env.program(expr, { mode }).evaluate({ i: 1, s: "a", x: 1 }).cost).toBe(cost);
  });

  test("folded values are shared, and cannot be changed by a host", () => {
    const program = env.program("[1, [2]]", { mode: "compiled" });
    const first = program.evaluate({}).value as unknown[];
    expect(program.evaluate({}).value).toBe(first);
    expect(() => first.push(3)).toThrow(TypeError);
  });

  // biome-ignore format: one case per line
  const strict = [
    ["int('x')",                "1:4",  "type conversion error from 'string' to 'int'"],
    ["x == duration('1x')",     "1:14", "type conversion error from 'string' to 'google.protobuf.Duration'"],
    ["s.matches('(')",          "1:10", "error parsing regexp: missing closing ): `(`"],
    ["x[null]",                 "1:2",  "invalid qualifier type: types.Null"],
    ["true || int('x') == 1",   "1:12", "type conversion error from 'string' to 'int'"],
  ] as const;
  test.each(strict)("with strict constants %s is an issue, without an evaluation error", (expr, place, message) => {
    const result = env.extend({ strictConstants: true }).compile(expr);
    expect(result.issues.map(({ code }) => code)).toEqual(["invalid_constant"]);
    expect(String(result)).toContain(`ERROR: <input>:${place}: `);
    expect(String(result)).toContain(message);
    const { error } = (env.program(expr) as ReturnType<Env["program"]>).evaluate({ x: {}, s: "a" });
    expect(error === undefined).toBe(expr.startsWith("true"));
  });
});

describe("scopes", () => {
  // biome-ignore format: one case per line
  const cases = [
    ["li.map(i, i)",                                   "collect s0 in g:li (s0)"],
    ["li.map(i, li.map(i, i))",                        "collect s0 in g:li (collect s1 in g:li (s1))"],
    ["li.map(i, i.b + .i)",                            undefined],
    ["li.map(v, .i + v)",                              "collect s0 in g:li (add_int64(g:i, s0))"],
    ["li.map(i, cel.bind(i, i + 1, i))",               "collect s0 in g:li (bind s1 (lazy s1{add_int64(s0, 1)}))"],
    ["cel.bind(i, i + 1, i)",                          "bind s0 (lazy s0{add_int64(g:i, 1)})"],
    ["li.map(v, v > 0, v).map(v, v)",                  "collect s1 in collect s0 in g:li (greater_int64(s0, 0) => s0) (s1)"],
    ["x.all(a, a.b == a)",                             "all s0 in g:x (eq(s0.b, s0))"], // a.b is a variable too, but a is a loop's
    ["x.all(a, a.c == a)",                             "all s0 in g:x (eq(s0.c, s0))"],
    ["m.all(i, x, x.b == i)",                          "all s0 s1 in g:m (eq(s1.b, s0))"],
  ] as const;
  test.each(cases)("%s", (expr, want) => {
    if (want === undefined) expect(env.compile(expr).ok).toBe(false);
    else expect(printed(expr)).toBe(want);
  });
});

describe("unchecked expressions", () => {
  const inContainer: Env = env.extend({ container: "a.c" });
  // biome-ignore format: one case per line
  const cases = [
    ["x",                          env,         "<x>"],
    ["x.y.z",                      env,         "<x.y.z/2; x.y/1; x>.y.z"],
    ["x[0].y",                     env,         "<x>[0].y"],
    ["x.y[0].z",                   env,         "<x.y/1; x>.y[0].z"],
    ["int",                        env,         "<int!>"],
    ["b",                          inContainer, "<a.c.b|a.b|b>"],
    [".b",                         inContainer, "<b>"],
    ["b.c",                        inContainer, "<a.c.b.c|a.b.c|b.c/1; a.c.b|a.b|b>.c"],
    ["li.map(b, b)",               inContainer, "collect s0 in <a.c.li|a.li|li> (s0)"],
    ["x + 1",                      env,         "_+_?(<x>, 1)"],
    ["x.size()",                   env,         "size?(<x>)"],
    ["math.abs(x)",                env,         "math.abs?(<x>)"],
    ["nope(x)",                    env,         "nope?(<x>)"],
    ["x in [1, 2]",                env,         "@in?(<x>, [1, 2])"],
  ] as const;
  test.each(cases)("%s", (expr, within, want) => expect(unchecked(expr, within)).toBe(want));

  test.each(["interpreted", "compiled"] as const)("the longest name that is bound decides, %s", (mode) => {
    const program = inContainer.plan(inContainer.parse("b.c").ast!, { mode });
    if (!("evaluate" in program)) throw new Error(program.message);
    expect(program.evaluate({ "a.b": { c: 1 }, b: { c: 2 } }).value).toBe(1);
    expect(program.evaluate({ b: { c: 2 } }).value).toBe(2);
    expect(program.evaluate({ b: { c: 2 }, "b.c": 3 }).value).toBe(3);
    expect(program.evaluate({ b: { c: 2 }, "a.c.b": { c: 4 } }).value).toBe(4);
    expect(program.evaluate({}).error?.message).toBe("no such attribute(s): a.c.b.c, a.b.c, b.c");
    expect(program.evaluate({ b: {} }).error?.message).toBe("no such key: c");
  });
});

describe("children", () => {
  test("are the steps directly below, in order of evaluation", () => {
    const below = (expr: string): string[] => children(planOf(expr)).map(printPlan);
    expect(below("1")).toEqual([]);
    expect(below("x[y].a[i]")).toEqual(["g:y", "g:i"]);
    expect(below("[x, y]")).toEqual(["g:x", "g:y"]);
    expect(below("{x: y}")).toEqual(["g:x", "g:y"]);
    expect(below("x ? y : i")).toEqual(["g:x", "g:y", "g:i"]);
    expect(below("li.map(v, v > 0, i)")).toEqual(["g:li", "greater_int64(s0, 0)", "g:i"]);
    expect(below("m.transformMap(k, v, k == '', v)")).toEqual(["g:m", `eq(s0, "")`, "s0", "s1"]);
    expect(below("cel.bind(v, x, v)")).toEqual(["lazy s0{g:x}"]);
    expect(below("x.orValue(y)")).toEqual(["g:x", "g:y"]);
    expect(below("i in [1]")).toEqual(["g:i"]);
  });
});
