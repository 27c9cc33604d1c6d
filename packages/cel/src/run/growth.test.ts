// The memory of one evaluation is bounded for all functions and macros.

import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import { bindingsLibrary, listsLibrary, regexLibrary, stringsLibrary, twoVariableLibrary } from "../lib/index.ts";
import { DYN } from "../value/type.ts";
import type { Mode } from "./program.ts";

const MODES: readonly Mode[] = ["interpreted", "compiled"];
const env: Env = createEnv({
  variables: { x: DYN, y: DYN },
  libraries: [bindingsLibrary(), listsLibrary(), stringsLibrary(), regexLibrary, twoVariableLibrary],
});

const letters = "aB".repeat(400_000);
const numbers = Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 30_011);
const texts = numbers.map((n) => `prefix-${n}`);

/** Lists of two of the list before: 2^40 elements, none of them large. */
let shared: unknown = ["x"];
for (let i = 0; i < 40; i++) shared = [shared, shared];

/** A text that is doubled that often. */
const doubled = (times: number): string =>
  times === 0 ? "t.size()" : `cel.bind(t, ${times === 40 ? "string(x)" : "t + t"}, ${doubled(times - 1)})`;

/** The same of a list of strings, which is then copied. */
const doubledList = (times: number, names = times): string =>
  times === 0
    ? "l.map(i, i).size()"
    : `cel.bind(l, ${times === names ? "x.map(i, string(i))" : "l + l"}, ${doubledList(times - 1, names)})`;

// biome-ignore format: one case per line
test.each<{ expr: string; x: unknown; y?: unknown; code: string }>([
  { expr: "x.replace('', x)",                                   x: "a".repeat(16_384), code: "invalid_argument" },
  { expr: "lists.range(1000).all(i, x.replace('', x) != '')",   x: "a".repeat(2048),   code: "memory_limit" },
  { expr: "lists.range(1000).all(i, x.replace('', x) != '' || true)", x: "a".repeat(2048), code: "memory_limit" },
  { expr: "lists.range(1000).all(i, x.join('-') != '')",         x: texts,              code: "memory_limit" },
  { expr: "lists.range(1000).all(i, '%s'.format([x]) != '')",    x: texts,              code: "memory_limit" },
  { expr: "lists.range(1000).all(i, x.split('').size() > 0)",    x: letters,            code: "memory_limit" },
  { expr: "lists.range(10000).all(i, x.reverse().size() > 0)",   x: numbers,            code: "memory_limit" },
  { expr: "lists.range(1000).all(i, regex.replace(x, 'a', x) != '')", x: "a".repeat(2048),   code: "memory_limit" },
  { expr: "lists.range(1000).all(i, (x + x).size() > 0)",        x: letters,            code: "memory_limit" },
  { expr: "lists.range(1000).all(i, (x + x).size() > 0)",        x: new Uint8Array(100_000), code: "memory_limit" },
  { expr: "lists.range(1000).all(i, (string(x) + string(x)).size() > 0)", x: letters,  code: "memory_limit" },
  { expr: "lists.range(1000).all(i, (bytes(x) + b'a').size() > 0)", x: letters,        code: "memory_limit" },
  { expr: doubled(40),                                          x: letters,            code: "memory_limit" },
  { expr: Array(200).fill("string(x)").join(" + "),             x: letters,            code: "memory_limit" },
  { expr: "'%s'.format([x])",                                   x: shared,             code: "memory_limit" },
  { expr: "x.flatten(50).size()",                               x: shared,             code: "memory_limit" },
  { expr: "x.map(i, x.map(j, j))",                              x: letters.slice(0, 3000).split(""), code: "memory_limit" },
  { expr: "x.map(i, x.transformMap(j, v, v))",                  x: letters.slice(0, 3000).split(""), code: "memory_limit" },
  { expr: `x.map(i, [i, ${Array(500).fill("0").join()}])`,       x: letters.slice(0, 30_000).split(""), code: "memory_limit" },
  { expr: "x.map(i, x.map(j, bytes('a')))",                     x: letters.slice(0, 3000).split(""), code: "memory_limit" },
  { expr: "x.map(i, x.map(j, 'b' + y + i))",                     x: letters.slice(0, 3000).split(""), y: "a".repeat(100), code: "memory_limit" },
  { expr: "x.map(i, [y + y, y + y])",                           x: numbers, y: letters.slice(0, 120).split(""), code: "memory_limit" },
  { expr: "x.map(i, [0].transformMapEntry(j, v, y))",            x: numbers, y: Object.fromEntries(numbers.map((n) => [`k${n}`, n])), code: "memory_limit" },
  { expr: doubledList(8),                                       x: letters.slice(0, 100_000).split(""), code: "memory_limit" },
  { expr: "x.map(i, bytes(y))",                                 x: numbers, y: letters, code: "memory_limit" },
])("$expr", ({ expr, x, y, code }) => {
  const [interpreted, compiled] = MODES.map((mode) => env.program(expr, { mode }).evaluate({ x, y }));
  expect(interpreted?.error?.code).toBe(code);
  expect(compiled).toEqual(interpreted);
});

describe.each(MODES)("growth is bounded, %s", (mode) => {
  test.each([
    "x.map(i, [i]).size()",
    "x.map(i, 'a' + string(i)).size()",
    "x.filter(i, [i, i].exists(j, j == i)).size()",
    "x.transformMap(i, v, [v]).size()",
  ])("as much as there is data is not too much: %s", (expr) => {
    const x = Array.from({ length: 200_000 }, (_, i) => i);
    expect(env.program(expr, { mode }).evaluate({ x }).value).toBe(x.length);
  });

  test("what a macro does not keep is not counted", () => {
    const x = Array.from({ length: 2100 }, (_, i) => i);
    expect(env.program("x.map(i, x.map(j, j).size()).size()", { mode }).evaluate({ x }).value).toBe(2100);
  });

  test("matches of a pattern, when little is left", () => {
    const { error } = env
      .program("(y + 'a') != '' && regex.extractAll(x, '').size() > 0", { mode })
      .evaluate({ x: letters, y: "a".repeat(66_500_000) }, {});
    expect(error?.code).toBe("memory_limit");
  });

  test("values made of the same parts over and over are compared, hashed and shown by their parts", () => {
    const data = { x: shared, y: structuredClone(shared) };
    const joined = env.program("['', x].join()", { mode }).evaluate(data);
    expect(joined.error?.message).toBe("join: invalid input: (a value too large to be shown)");
    expect(env.program("x == y", { mode }).evaluate(data).value).toBe(true);
    expect(env.program("[x, y].distinct().size()", { mode }).evaluate(data).value).toBe(1);
    expect(env.program("x in [[x], y]", { mode }).evaluate(data).value).toBe(true);
  });
});
