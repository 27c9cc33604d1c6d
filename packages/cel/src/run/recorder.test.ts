// The recorder receives every evaluated node: value or error, and cost; per iteration; and no node that was not evaluated.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unparse } from "../ast/unparse.ts";
import { visit } from "../ast/visit.ts";
import { createEnv, type Env } from "../env.ts";
import {
  bindingsLibrary,
  blockLibrary,
  listsLibrary,
  optionalLibrary,
  standardLibrary,
  twoVariableLibrary,
} from "../lib/index.ts";
import { isError } from "../value/error.ts";
import { BOOL, DYN, INT, listOf, mapOf, STRING } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import type { Recorder } from "./frame.ts";
import { variablesOf } from "./random-data.testing.ts";
import { expressions } from "./random-expression.testing.ts";
import { show, showOutcome } from "./show.testing.ts";

const libraries = [optionalLibrary(), bindingsLibrary(), blockLibrary, twoVariableLibrary, listsLibrary()];
const variables = { x: DYN, b: BOOL, i: INT, s: STRING, li: listOf(INT), m: mapOf(STRING, DYN) };
const env: Env = createEnv({ variables, libraries });

/** The recorded values, as lines `text = value (cost)` in the order received. */
function record(expr: string, vars: Record<string, unknown>, options: { costLimit?: number } = {}): string[] {
  const { ast } = env.parse(expr);
  const texts = new Map<number, string>();
  visit(ast!.expr, { enter: (node) => void texts.set(node.id, unparse({ ...ast!, expr: node })) });
  const lines: string[] = [];
  const recorder: Recorder = {
    value: (id, value, cost) =>
      lines.push(
        `${texts.get(id) ?? `#${id}`} = ${isError(value) ? `error: ${value.message}` : show(value)} (${cost})`,
      ),
    iteration: (_, key, element) => lines.push(`> ${show(key)}: ${show(element)}`),
  };
  env.program(expr, { mode: "compiled" }).evaluate(vars, { recorder, ...options });
  return lines;
}

describe("recorded values", () => {
  test("values, and costs with everything below", () => {
    expect(record("x.a + 1 == 3", { x: { a: 2 } })).toEqual([
      "x.a = 2 (1)",
      "x.a = 2 (2)",
      "1 = 1 (0)",
      "x.a + 1 = 3 (3)",
      "3 = 3 (0)",
      "x.a + 1 == 3 = true (4)",
    ]);
  });

  test("errors, where they arise and where they go", () => {
    expect(record("x.a == 1 || b", { x: {}, b: true })).toEqual([
      "x.a = error: no such key: a (1)",
      "x.a = error: no such key: a (2)",
      "1 = 1 (0)",
      "x.a == 1 = error: no such key: a (3)",
      "b = true (1)",
      "x.a == 1 || b = true (4)",
    ]);
  });

  test("nothing of parts without evaluation", () => {
    expect(record("b && i > 1", { b: false, i: 1 })).toEqual(["b = false (1)", "b && i > 1 = false (1)"]);
    expect(record("b ? i : s.size()", { b: true, i: 1, s: "" })).toEqual([
      "b = true (1)",
      "i = 1 (0)",
      "b ? i : s.size() = 1 (1)",
    ]);
    expect(record("optional.of(1).orValue(i)", { i: 2 })).toEqual([
      "1 = 1 (0)",
      "optional.of(1) = optional(1) (1)",
      "optional.of(1).orValue(i) = 1 (1)",
    ]);
  });

  test("every iteration", () => {
    expect(record("li.exists(v, v == 2)", { li: [1, 2, 3] })).toEqual([
      "li = [1, 2, 3] (1)",
      "> 1: 1",
      "v = 1 (1)",
      "2 = 2 (0)",
      "v == 2 = false (2)",
      "> 2: 2",
      "v = 2 (1)",
      "2 = 2 (0)",
      "v == 2 = true (2)",
      "> 3: 3",
      "li.exists(v, v == 2) = true (17)",
    ]);
    expect(record("m.transformMap(k, v, v)", { m: { a: 1 } })).toEqual([
      'm = {"a": 1} (1)',
      '> "a": 1',
      'k = "a" (1)',
      "v = 1 (1)",
      'm.transformMap(k, v, v) = {"a": 1} (6)',
    ]);
  });

  test("a bound name once, where it is used first", () => {
    const lines = record("cel.bind(v, i + 1, b && v == v)", { i: 1, b: true });
    expect(lines.filter((line) => line.startsWith("i + 1"))).toEqual(["i + 1 = 2 (2)"]);
    expect(
      record("cel.bind(v, i + 1, b && v == v)", { i: 1, b: false }).filter((line) => line.startsWith("i + 1")),
    ).toEqual([]);
  });

  test("the work before a limit stopped it", () => {
    expect(record("i + i + i", { i: 1 }, { costLimit: 3 })).toEqual(["i = 1 (1)", "i = 1 (1)", "i + i = 2 (3)"]);
  });
});

describe("recording", () => {
  const generate = expressions(
    {
      rows: [standardLibrary, ...libraries].flatMap(({ overloads }) => overloads),
      variables,
      macros: { optional: true, twoVariables: true, bind: true, math: false, sortBy: true },
    },
    true,
  );

  test("changes no outcome, knows only nodes of the tree, and its costs sum up", () => {
    const types = [BOOL, INT, DYN, listOf(INT)];
    fc.assert(
      fc.property(
        fc.constantFrom(...types).chain((type) => generate(type, 3)),
        variablesOf(variables, true),
        (expr, data) => {
          const compiled = env.compile(expr, { mode: "interpreted" });
          fc.pre(compiled.ok);
          if (!compiled.ok) return;
          const ids = new Set<number>();
          visit(compiled.checked.ast.expr, { enter: (node) => void ids.add(node.id) });
          const told: { id: number; value: Value; cost: number }[] = [];
          const recorder: Recorder = { value: (id, value, cost) => told.push({ id, value, cost }) };
          const options = { costLimit: 20_000 };
          const outcome = compiled.program.evaluate(data, { ...options, recorder });
          expect(showOutcome(outcome)).toBe(showOutcome(compiled.program.evaluate(data, options)));
          for (const { id, cost } of told) {
            expect(ids.has(id)).toBe(true);
            expect(cost).toBeGreaterThanOrEqual(0);
            expect(cost).toBeLessThanOrEqual(outcome.cost);
          }
          const last = told.at(-1);
          if (outcome.error?.code === "cost_limit" || outcome.error?.code === "internal") return;
          expect(last).toMatchObject({ id: compiled.checked.ast.expr.id, cost: outcome.cost });
          expect(show(last?.value)).toBe(show(outcome.error ?? outcome.value));
        },
      ),
      { numRuns: 400 },
    );
  });
});
