// An evaluation that leaves the straight form starts again in the full one, and from there perhaps in the interpreter. Every form of an
// evaluation has one deadline, one budget and one allowance of memory. These tests count readings of the clock, costs and growth.

import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import { listsLibrary, stringsLibrary } from "../lib/index.ts";
import { DYN } from "../value/type.ts";
import type { Mode } from "./program.ts";

const env: Env = createEnv({ variables: { x: DYN, y: DYN }, libraries: [listsLibrary(), stringsLibrary()] });

/** A long loop, then a step without a short form: the straight form leaves for the full one, or also that for the interpreter. */
const LOOP = "lists.range(300).all(i, lists.range(100).all(j, i + j >= 0))";
// biome-ignore format: one case per line
const LATE = [
  { way: "full form",   expr: `${LOOP} && y.missing`,                                  runs: 2 },
  { way: "interpreter", expr: `${LOOP} && [1, 2].map(i, y.missing + i).size() == 2`,   runs: 3 },
];

function looksOf(expr: string, mode: Mode, at = Number.POSITIVE_INFINITY) {
  let looks = 0;
  const signal = {
    get aborted(): boolean {
      return ++looks >= at;
    },
  };
  const outcome = env.program(expr, { mode }).evaluate({ y: {} }, { signal });
  return { outcome, looks };
}

describe.each(LATE)("$way: $expr", ({ expr, runs }) => {
  test("the clock is looked at in every run, and ends each", () => {
    const once = looksOf(expr, "interpreted").looks;
    const all = looksOf(expr, "compiled").looks;
    expect(once).toBeGreaterThan(5);
    expect(all).toBeGreaterThan((runs - 0.5) * once);
    expect(all).toBeLessThan((runs + 1) * once);
    for (let at = 1; at <= all; at += Math.ceil(once / 4)) {
      const { outcome, looks } = looksOf(expr, "compiled", at);
      expect(outcome.error?.code).toBe("interrupted");
      expect(looks).toBeLessThanOrEqual(at + 1);
    }
  });

  test("earlier charges are not repeated", () => {
    const interpreted = env.program(expr, { mode: "interpreted" }).evaluate({ y: {} });
    const compiled = env.program(expr, { mode: "compiled" });
    expect(compiled.evaluate({ y: {} }).cost).toBe(interpreted.cost);
    expect(compiled.evaluate({ y: {} }, { costLimit: interpreted.cost }).error?.code).toBe("no_such_key");
    expect(compiled.evaluate({ y: {} }, { costLimit: interpreted.cost - 1 }).error?.code).toBe("cost_limit");
  });
});

describe.each<Mode>(["interpreted", "compiled"])("memory, %s", (mode) => {
  /** Forty million characters: once is allowed, twice in one run is not. */
  const x = Array.from({ length: 40 }, () => "a".repeat(1_000_000));
  const codeOf = (expr: string) => env.program(expr, { mode }).evaluate({ x, y: {} }).error?.code;

  test("of a run that was given up is free again", () => {
    expect(codeOf("x.join() != '' && x.join() != ''")).toBe("memory_limit");
    expect(codeOf("x.join() != '' && y.missing")).toBe("no_such_key");
    expect(codeOf("x.join() != '' && [1, 2].map(i, y.missing + i).size() == 2")).toBe("no_such_key");
  });

  test("of an evaluation before is free again, and that of one evaluation is counted together", () => {
    const before = env.program("x.slice(0, 10).join() != '' && y.missing", { mode });
    const after = env.program("x.join() != '' && x.slice(0, 20).join() != ''", { mode });
    expect(before.evaluate({ x, y: {} }).error?.code).toBe("no_such_key");
    expect(after.evaluate({ x, y: {} }).error?.code).toBe(undefined);
    expect(codeOf("x.join() != '' && x.slice(0, 30).join() != '' || y.missing")).toBe("memory_limit");
  });
});
