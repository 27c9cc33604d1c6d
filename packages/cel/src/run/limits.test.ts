// Limits on an expression and its evaluation. An evaluation beyond its limit has the reference's cost: it stops at the charge that crosses,
// and reports the cost up to then.

import { describe, expect, test } from "vitest";
import { fn } from "../call/overload.ts";
import { costs, fixed, scan } from "../cost/formulas.ts";
import { createEnv, type Env } from "../env.ts";
import { listsLibrary, optionalLibrary, stringsLibrary, twoVariableLibrary } from "../lib/index.ts";
import { DYN } from "../value/type.ts";
import type { Mode } from "./program.ts";

const MODES: readonly Mode[] = ["interpreted", "compiled"];
const libraries = [listsLibrary(), optionalLibrary(), stringsLibrary(), twoVariableLibrary];
const env: Env = createEnv({ variables: { x: DYN }, libraries });

describe.each(MODES)("cost limit, %s", (mode) => {
  const EXCEEDED = "operation cancelled: actual cost limit exceeded";

  // Each charge is made whole: a costly call overshoots, a macro's own steps stop one past the limit.
  // biome-ignore format: one case per line
  const cases = [
    { expr: "lists.range(1000).all(i, lists.range(1000).all(j, i + j >= 0))", limit: 1_000_000, cost: 1_000_001 },
    { expr: "lists.range(1000).map(i, i + 1)",          limit: 5000,    cost: 5001 },
    { expr: "lists.range(1000).map(i, [i])",            limit: 5000,    cost: 5002 },
    { expr: "lists.range(1000).filter(i, i % 2 == 0)",  limit: 5000,    cost: 5001 },
    { expr: "lists.range(1000).exists(i, i == 2000)",   limit: 5000,    cost: 5001 },
    { expr: "lists.range(1000).exists_one(i, i == 3)",  limit: 2500,    cost: 2501 },
    { expr: "lists.range(1000).transformMap(i, v, v)",  limit: 2500,    cost: 2501 },
    { expr: "lists.range(9223372036854775807).all(i, true)", limit: 10, cost: 12 },
    { expr: "x.startsWith(x)",                          limit: 10,      cost: 102 },
    { expr: "x + x",                                    limit: 2,       cost: 3 },
    { expr: "[x, x]",                                   limit: 11,      cost: 12 },
    { expr: "{'a': x}",                                 limit: 30,      cost: 31 },
    { expr: "x == x",                                   limit: 50,      cost: 102 },
    { expr: "x.size()",                                 limit: 1,       cost: 2 },
    { expr: "x",                                        limit: 0,       cost: 1 },
    { expr: "x == 'a' || x == 'b' || x == 'c'",         limit: 5,       cost: 6 },
  ];
  const x = "y".repeat(1000);
  test.each(cases)("$expr within $limit", ({ expr, limit, cost }) => {
    const outcome = env.program(expr, { mode }).evaluate({ x }, { costLimit: limit });
    expect(outcome).toMatchObject({ value: undefined, error: { code: "cost_limit", message: EXCEEDED }, cost });
  });

  test.each([
    "x == x",
    "[1, 2, 3].map(i, x + string(i)).size()",
    "x.matches('y+') && size(x) > 3",
    "[x].all(a, [x].exists(b, a == b))",
  ])("%s runs at just its cost, and at no less", (expr) => {
    const program = env.program(expr, { mode });
    const { cost, value } = program.evaluate({ x });
    expect(program.evaluate({ x }, { costLimit: cost })).toMatchObject({ value, error: undefined, cost });
    for (let costLimit = 0; costLimit < cost; costLimit += Math.ceil(cost / 50)) {
      const outcome = program.evaluate({ x }, { costLimit });
      expect(outcome.error?.code).toBe("cost_limit");
      expect(outcome.cost).toBeGreaterThan(costLimit);
    }
  });

  test("of the environment, and of one evaluation", () => {
    const strict: Env = env.extend({ limits: { cost: 10 } });
    const program = strict.program("[1, 2, 3].all(i, i > 0)", { mode });
    expect(program.evaluate({}).error?.message).toBe(EXCEEDED);
    expect(program.evaluate({}, { costLimit: 100 }).value).toBe(true);
    expect(program.run({})).toMatchObject({ code: "cost_limit" });
  });

  test("nothing absorbs it", () => {
    for (const expr of [
      "true || x.startsWith(x)",
      "x.startsWith(x) || true",
      "[1].exists(i, x.startsWith(x) || true)",
      "optional.of(x.startsWith(x)).orValue(true)",
    ]) {
      const { error } = env.program(expr, { mode }).evaluate({ x }, { costLimit: 20 });
      expect(error?.code, expr).toBe(expr.startsWith("true") ? undefined : "cost_limit");
    }
  });

  test("a call beyond the limit is not made, and nothing is evaluated twice to report it", () => {
    let calls = 0;
    const called = (): number => ++calls;
    const flat = fn("flat", "flat", [], DYN, fixed(100), called);
    const bySize = fn("by_size", "by_size", [DYN], DYN, scan(0, 10), called);
    const byResult = fn("by_result", "by_result", [DYN], DYN, costs({ ...fixed(1), actual: () => 1000 }), called);
    const host: Env = createEnv({ variables: { x: DYN }, functions: [flat, bySize, byResult] });
    // biome-ignore format: one case per line
    const expected = [
      { expr: "[1, 2, 3].map(i, flat())",                  limit: 150,  calls: 1, cost: 213 },
      { expr: "by_size(x) == 1",                           limit: 999,  calls: 0, cost: 1001 },
      { expr: "by_size(x) == 1",                           limit: 5000, calls: 1, cost: 1002 },
      { expr: "[1, 2, 3, 4].map(i, by_size(x)).size() > 0", limit: 3000, calls: 2, cost: 3028 },
      { expr: "[1, 2].all(i, by_result(x) > 0)",           limit: 999,  calls: 1, cost: 1004 },
    ];
    for (const { expr, limit, calls: made, cost } of expected) {
      calls = 0;
      expect(host.program(expr, { mode }).evaluate({ x }, { costLimit: limit }).cost, expr).toBe(cost);
      expect(calls, expr).toBe(made);
    }
  });
});

describe.each(MODES)("interruption, %s", (mode) => {
  const long = "lists.range(3000).all(i, lists.range(3000).all(j, i + j >= 0))";
  const program = env.program(long, { mode });

  test("by a signal that is aborted already", () => {
    const outcome = program.evaluate({}, { signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({
      value: undefined,
      error: { code: "interrupted", message: "operation interrupted" },
    });
  });

  test("by a signal aborted meanwhile", () => {
    const controller = new AbortController();
    let calls = 0;
    const abort = fn("abort", "abort", [], DYN, fixed(1), () => {
      if (++calls === 1000) controller.abort();
      return true;
    });
    const host: Env = createEnv({ libraries, functions: [abort] });
    const looping = host.program("lists.range(1000000).all(i, abort())", { mode });
    const { error, cost } = looping.evaluate({}, { signal: controller.signal });
    expect(error?.code).toBe("interrupted");
    expect(cost).toBeGreaterThan(1000);
    expect(calls).toBeLessThan(5000);
  });

  test("by a deadline", () => {
    expect(program.evaluate({}, { deadline: Date.now() + 20 }).error?.code).toBe("interrupted");
    expect(program.evaluate({}, { deadline: Date.now() - 1 }).error?.message).toBe("operation interrupted");
  });

  test("as soon as it is requested", () => {
    for (let after = 1; after <= 40; after += 13) {
      let looks = 0;
      const signal = {
        get aborted(): boolean {
          return ++looks === after;
        },
      };
      const { error, cost } = program.evaluate({}, { signal });
      expect(error?.code).toBe("interrupted");
      expect(looks).toBe(after);
      expect(cost).toBeLessThan(20_000 + after * 6000);
    }
  });

  test("of an evaluation inside another, which is over with it", () => {
    let looks = 0;
    const inner = env.program(long, { mode });
    const call = fn("inner", "inner", [], DYN, fixed(1), () => inner.run({}) === true);
    const outer = createEnv({ functions: [call] }).program("inner() || inner()", { mode });
    const signal = {
      get aborted(): boolean {
        return ++looks > 10;
      },
    };
    expect(outer.evaluate({}, { signal }).error?.code).toBe("interrupted");
    expect(looks).toBeLessThan(20);
    expect(inner.evaluate({}, { costLimit: 10_000 }).error?.code).toBe("cost_limit");
    expect(looks).toBeLessThan(20);
  });

  test("inside every kind of loop", () => {
    for (const loop of [
      "all(i, true)",
      "exists(i, false)",
      "exists_one(i, false)",
      "map(i, i)",
      "filter(i, false)",
      "transformList(i, v, v)",
      "transformMap(i, v, v)",
      "transformMapEntry(i, v, {i: v})",
      "all(i, v, true)",
    ]) {
      const looping = env.program(`lists.range(9000).${loop}`, { mode });
      expect(looping.evaluate({}, { signal: AbortSignal.abort() }).error?.code, loop).toBe("interrupted");
      expect(
        looping.evaluate({}, { signal: new AbortController().signal, deadline: Date.now() + 60_000 }).error,
        loop,
      ).toBe(undefined);
    }
  });

  test("a cost limit that is crossed first counts first", () => {
    expect(program.evaluate({}, { deadline: Date.now() + 60_000, costLimit: 100 }).error?.code).toBe("cost_limit");
  });
});

describe("the environment's limits", () => {
  // biome-ignore format: one case per line
  const cases = [
    { limits: { sourceSize: 5 },       text: "1 + 1 + 1",                 code: "source_too_long" },
    { limits: { sourceSize: 5 },       text: "'😀😀😀'",                  code: undefined },
    { limits: { recursion: 10 },       text: `${"(".repeat(20)}1${")".repeat(20)}`, code: "nested_too_deeply" },
    { limits: { nodes: 5 },            text: "1 + 2 + 3 + 4",             code: "too_many_nodes" },
    { limits: { nodes: 8 },            text: "[1].all(i, true)",          code: "too_many_nodes" },
    { limits: { literalEntries: 3 },   text: "[1, 2, 3]",                 code: undefined },
    { limits: { literalEntries: 3 },   text: "[1, 2, 3, 4]",              code: "literal_too_large" },
    { limits: { literalEntries: 1 },   text: "{'a': 1, 'b': 2}",          code: "literal_too_large" },
    { limits: { literalEntries: 1 },   text: "[1].map(i, {'a': i, 'b': i})", code: "literal_too_large" },
  ];
  test.each(cases)("$limits: $text", ({ limits, text, code }) => {
    const result = createEnv({ limits }).compile(text);
    expect(result.issues[0]?.code).toBe(code);
    expect(result.ok).toBe(code === undefined);
  });

  test("a large literal is reported with its place", () => {
    const result = createEnv({ limits: { literalEntries: 2 } }).compile("1 in [1, 2] ||\n  2 in [1, 2, 3]");
    expect(String(result)).toBe("ERROR: <input>:2:8: literal has 3 entries, limit 2\n |   2 in [1, 2, 3]\n | .......^");
  });

  test("deep nesting is refused or works, whatever it is made of", () => {
    const deep = createEnv({
      variables: { x: DYN },
      limits: { recursion: 100_000, sourceSize: 10_000_000, nodes: 10_000_000 },
    }) as Env;
    for (const [open, close] of [
      ["(", ")"],
      ["[", "]"],
      ["!(", ")"],
      ["-(", ")"],
      ["{1: ", "}"],
      ["dyn(", ")"],
      ["[", "].map(i, i)"],
      ["x ? 1 : (", ")"],
      ["[1].all(i, ", ")"],
      ["x[", "]"],
      ["1 + (", ")"],
    ] as const) {
      for (const depth of [100, 1000, 20_000]) {
        const text = `${open.repeat(depth)}x${close.repeat(depth)}`;
        for (const mode of MODES) {
          const result = deep.compile(text, { mode });
          if (result.ok) result.program.evaluate({ x: true });
          else expect(result.issues[0]?.code, `${open}${close}`).toBe("nested_too_deeply");
        }
      }
    }
  });

  test("long chains of operators are fine", () => {
    for (const operator of ["+", "&&", "||", "==", ".a"]) {
      const text =
        operator === ".a"
          ? `x${".a".repeat(2000)}`
          : Array.from({ length: 2000 }, () => (operator === "+" ? "1" : "true")).join(` ${operator} `);
      const long: Env = createEnv({ variables: { x: DYN }, limits: { recursion: 10_000 } });
      for (const mode of MODES) {
        const result = long.compile(text, { mode });
        if (result.ok) expect(result.program.evaluate({ x: {} }).cost).toBeGreaterThan(-1);
        else expect(result.issues[0]?.code).toBe("nested_too_deeply");
      }
    }
  });
});
