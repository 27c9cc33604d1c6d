// A deadline works because the clock is checked: again and again inside long calls, and for every call on something large. These
// tests count the looks, and end evaluations at one of them.

import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import {
  bindingsLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  optionalLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary,
} from "../lib/index.ts";
import { DYN } from "../value/type.ts";
import type { EvaluationResult, Mode } from "./program.ts";

const MODES: readonly Mode[] = ["interpreted", "compiled"];
const env: Env = createEnv({
  variables: { x: DYN, y: DYN },
  libraries: [
    optionalLibrary(),
    bindingsLibrary(),
    listsLibrary(),
    stringsLibrary(),
    setsLibrary,
    encodersLibrary,
    mathLibrary(),
    regexLibrary,
  ],
});

interface Watched {
  readonly outcome: EvaluationResult;
  readonly looks: number;
}

/** Evaluates, aborted at the look of that number. */
function watch(expr: string, mode: Mode, data: Record<string, unknown>, at = Number.POSITIVE_INFINITY): Watched {
  let looks = 0;
  const signal = {
    get aborted(): boolean {
      return ++looks >= at;
    },
  };
  const outcome = env.program(expr, { mode }).evaluate(data, { signal });
  return { outcome, looks };
}

const letters = "aB".repeat(400_000);
const words = "ab ".repeat(30_000);
const numbers = Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 30_011);
const objects = numbers.map((n) => ({ n, at: [n] }));
const texts = numbers.map((n) => `prefix-${n}`);
const bytes = new Uint8Array(600_000);

describe.each(MODES)("the deadline is checked, %s", (mode) => {
  const CALLS = 2;
  // biome-ignore format: one case per line
  test.each<{ call: string; x: unknown; y?: unknown }>([
    { call: "x.lowerAscii() != ''",             x: letters },
    { call: "x.upperAscii() != ''",             x: letters },
    { call: "x.reverse() != ''",                x: letters },
    { call: "x.indexOf('z') < 0",               x: letters },
    { call: "x.lastIndexOf('z') < 0",           x: letters },
    { call: "x.contains(y) || true",            x: letters, y: "z" },
    { call: "x.replace('a', 'b') != ''",        x: "ab ".repeat(100_000) },
    { call: "x.split(' ').size() > 0",          x: letters },
    { call: "x.join(' ') != ''",                x: texts },
    { call: "strings.quote(x) != ''",           x: letters },
    { call: "'%s'.format([x]) != ''",           x: numbers },
    { call: "'%x'.format([x]) != ''",           x: letters },
    { call: "base64.encode(x) != ''",           x: bytes },
    { call: "base64.decode(x) != b''",          x: "QUJD".repeat(100_000) },
    { call: "x.matches('[ab]+c')",              x: letters },
    { call: "regex.replace(x, 'a', 'bb') != ''", x: words },
    { call: "regex.extractAll(x, 'a').size() > 0", x: words },
    { call: "x.slice(0, 30000).size() > 0",     x: numbers },
    { call: "x.reverse().size() > 0",           x: [...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers, ...numbers] },
    { call: "x.flatten().size() > 0",           x: numbers },
    { call: "x.distinct().size() > 0",          x: objects.slice(0, 5000) },
    { call: "x.sort().size() > 0",              x: numbers },
    { call: "sets.contains(x, x)",              x: texts },
    { call: "math.greatest(x) > 0",             x: numbers },
    { call: "x == y",                           x: objects, y: structuredClone(objects) },
    { call: "x in [y, x]",                      x: objects, y: structuredClone(objects) },
    { call: "dyn([1, 2]) in x",                 x: numbers },
    { call: "dyn(-1) in x",                     x: numbers },
    { call: "dyn('no') in x",                   x: texts },
    { call: "x == x && x < y",                  x: letters, y: `${letters}a` },
    { call: "bytes(x) != b''",                  x: letters },
    { call: "string(x) != ''",                  x: bytes },
  ])("for every $call", ({ call, ...data }) => {
    const { outcome, looks } = watch(`lists.range(${CALLS}).filter(i, ${call} || true).size()`, mode, data);
    expect(outcome.error).toBe(undefined);
    expect(looks).toBeGreaterThanOrEqual(CALLS);
    expect(looks).toBeLessThan(CALLS * 1000);
  });

  // biome-ignore format: one case per line
  test.each<{ expr: string; x: unknown; y?: unknown }>([
    { expr: "x.sort()",                    x: numbers },
    { expr: "x.sortBy(v, v)",              x: texts },
    { expr: "'%s'.format([x])",            x: objects },
    { expr: "x.distinct()",                x: objects },
    { expr: "sets.equivalent(x, y)",       x: objects, y: structuredClone(objects).reverse() },
    { expr: "x.flatten(9)",                x: [objects.map((o) => [o, [o, [o]]]), numbers, numbers] },
    { expr: "x == y",                      x: objects, y: structuredClone(objects) },
    { expr: "x.indexOf(y)",                x: "a".repeat(400_000), y: `${"a".repeat(99_999)}b${"a".repeat(99_999)}` },
    { expr: "x.lastIndexOf(y)",            x: "a".repeat(400_000), y: `${"a".repeat(99_999)}b${"a".repeat(99_999)}` },
    { expr: "x.contains(y)",               x: "a".repeat(400_000), y: `${"a".repeat(99_999)}b${"a".repeat(99_999)}` },
    { expr: "x.split(y)",                  x: "a".repeat(400_000), y: `${"a".repeat(99_999)}b${"a".repeat(99_999)}` },
    { expr: "x.replace(y, '')",            x: "a".repeat(400_000), y: `${"a".repeat(99_999)}b${"a".repeat(99_999)}` },
    { expr: "regex.extractAll(x, 'c.*d|c')", x: "c".repeat(60_000) },
    { expr: "x.lowerAscii()",              x: `${"aB".repeat(100_000)}é` },
    { expr: "x.upperAscii()",              x: `${"aB".repeat(100_000)}é` },
    { expr: "strings.quote(x)",            x: "\n".repeat(100_000) },
    { expr: "duration(x)",                 x: "1ns".repeat(100_000) },
  ])("inside $expr", ({ expr, ...data }) => {
    const whole = watch(expr, mode, data);
    expect(whole.outcome.error).toBe(undefined);
    expect(whole.looks).toBeGreaterThan(2);
    const stopped = watch(expr, mode, data, 2);
    expect(stopped.outcome.error?.code).toBe("interrupted");
    expect(stopped.looks).toBe(2);
  });
});
