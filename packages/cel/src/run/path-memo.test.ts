// Some paths are read once, and reading once changes nothing.

import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import { bindingsLibrary, optionalLibrary } from "../lib/index.ts";
import { children } from "../plan/children.ts";
import type { Attr, Step } from "../plan/step.ts";
import { DYN } from "../value/type.ts";
import { countPaths } from "./path-memo.ts";
import { showOutcome } from "./show.testing.ts";

const env: Env = createEnv({ variables: { x: DYN, y: DYN }, libraries: [optionalLibrary(), bindingsLibrary()] });

function attrsOf(step: Step): Attr[] {
  const below = children(step).flatMap(attrsOf);
  return step.op === "attr" ? [step, ...below] : below;
}

/** The prefixes of paths that are kept, as text. */
function kept(expr: string): string[] {
  const { step } = env.program(expr, { mode: "interpreted" }).plan;
  const memo = countPaths(step);
  const found = new Set<string>();
  for (const { root, path } of attrsOf(step)) {
    for (let length = 1; length <= path.length; length++) {
      const name = root.kind === "global" ? root.name : root.kind === "local" ? `s${root.slot}` : "?";
      if (memo.variable(root, path, length) === undefined) continue;
      found.add(
        [
          name,
          ...path.slice(0, length).map((qualifier) => (qualifier.kind === "key" ? String(qualifier.key) : "…")),
        ].join("."),
      );
    }
  }
  expect(memo.count).toBe(found.size);
  return [...found].sort();
}

describe("kept paths", () => {
  // biome-ignore format: one case per line
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ["x.a",                                          []],
    ["x.a == x.b",                                   []],
    ["x.a == x.a",                                   ["x.a"]],
    ["x.a.b == 1 || x.a.c == 1",                     ["x.a"]],
    ["has(x.a.b) && x.a.b == 1",                     ["x.a", "x.a.b"]],
    ["x.a == y.a",                                   []],
    ["x.all(v, v.a == 1)",                           []],
    ["x.all(v, v.a == 1 || v.a == 2)",               ["s0.a"]],
    ["x.all(v, y.a == v)",                           ["y.a"]],
    ["x.all(v, x.all(w, v.a == w.a))",               ["s0.a"]],
    ["x.a[0].b == x.a[0].b",                         ["x.a"]],
    ["x.a[y.b] == x.a[y.b]",                         ["x.a", "y.b"]],
    ["x.?a == x.?a",                                 []],
    ["x.a.?b == x.a.?b",                             ["x.a"]],
    ["cel.bind(v, x.a, v == 1)",                     []],
  ];
  test.each(cases)("%s", (expr, want) => expect(kept(expr)).toEqual(want));
});

describe("reading a path once", () => {
  const expressions = [
    "has(x.a) && x.a == 1 && x.a == x.a",
    "x.a == 1 || x.a == null || x.a == 2",
    "!has(x.a) || x.a.b == x.a.b",
    "x.l.map(v, v.a) + x.l.map(v, v.a)",
    "x.l.all(v, x.l.exists(w, v.a == w.a && x.a == x.a))",
    "x.l.map(v, has(v.a) ? v.a : 0).map(v, v == 1 || v == 2)",
    "x.l.map(v, [v.a, v.a])",
    "x.s == x.s && x.s.size() == 3 && x.s.startsWith('a') && x.s + x.s == 'b'",
    "has(x.s) && x.s.contains('long') || x.s.matches('x')",
  ];
  // biome-ignore format: one document per line
  const documents = [
    {}, { a: 1 }, { a: null }, { a: undefined }, { a: { b: 1 } }, { a: [1] }, { l: [] }, { l: [{ a: 1 }, { a: 2 }] }, { l: [{ a: 1 }, {}], a: 1 },
    { l: [{ a: undefined }, { a: null }] }, { l: { a: 1 } }, { s: "a text that is longer than ten, 😀" }, { s: "" }, { s: 1 }, { s: null },
  ];
  test.each(expressions)("%s", (expr) => {
    const interpreted = env.program(expr, { mode: "interpreted" });
    const compiled = env.program(expr, { mode: "compiled" });
    expect(compiled.form).toBe("compiled");
    for (const x of documents) {
      for (const costLimit of [Number.POSITIVE_INFINITY, 7])
        expect(showOutcome(compiled.evaluate({ x }, { costLimit }))).toBe(
          showOutcome(interpreted.evaluate({ x }, { costLimit })),
        );
    }
  });
});
