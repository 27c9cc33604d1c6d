// Hostile data, hostile names, hostile sizes: a defined answer, the same in both forms, nothing thrown, nothing polluted.

import { afterEach, describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import {
  bindingsLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  optionalLibrary,
  setsLibrary,
  stringsLibrary,
  twoVariableLibrary,
} from "../lib/index.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../value/type.ts";
import { HOSTILE, UNANSWERING } from "./hostile-data.testing.ts";
import type { Mode, Program } from "./program.ts";
import { showOutcome } from "./show.testing.ts";

const libraries = [
  optionalLibrary(),
  bindingsLibrary(),
  twoVariableLibrary,
  encodersLibrary,
  listsLibrary(),
  mathLibrary(),
  setsLibrary,
  stringsLibrary(),
];
const env: Env = createEnv({ variables: { x: DYN, y: DYN }, libraries, limits: { cost: 1_000_000 } });

const programs = new Map<string, readonly [Program, Program]>();

function formsOf(expr: string, within: Env): readonly [interpreted: Program, compiled: Program] {
  const known = within === env ? programs.get(expr) : undefined;
  if (known) return known;
  const forms = [within.program(expr, { mode: "interpreted" }), within.program(expr, { mode: "compiled" })] as const;
  if (within === env) programs.set(expr, forms);
  return forms;
}

/** The outcome in both forms, which must be the same, as text. */
function answer(expr: string, vars: Readonly<Record<string, unknown>>, within: Env = env): string {
  const [interpreted, compiled] = formsOf(expr, within);
  const outcome = showOutcome(interpreted.evaluate(vars));
  const other = showOutcome(compiled.evaluate(vars));
  if (other !== outcome) expect(other, expr).toBe(outcome);
  return outcome;
}

const NAMES = [
  "a",
  "b",
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "length",
  "prototype",
  "valueOf",
  "then",
  "items",
];

// biome-ignore format: by what they do with x
const QUESTIONS = [
  ...NAMES.flatMap((name) => [`x.${name}`, `has(x.${name})`, `x['${name}']`, `'${name}' in x`, `x.?${name}`, `x.${name}.a`, `has(x.${name}.a)`, `x.?${name}.a.orValue(7)`, `[x].map(v, v.${name})`, `[x].all(v, has(v.${name}))`, `x.${name} == x.${name} && has(x.${name})`]),
  "x", "x == x", "x != y", "x == y", "x == null", "x == 1", "x in [x]", "x in [1, 'a']", "[x] == [y]", "{'a': x} == {'a': y}",
  "x[0]", "x[1]", "x[2]", "x[-1]", "x['']", "x[0.0]", "x[1u]", "x[true]", "x[x]", "x[?0]", "1 in x", "x.size()", "size(x)", "type(x)",
  "x.all(k, true)", "x.exists(k, k == 'a')", "x.exists_one(k, k == 1)", "x.map(k, k)", "x.map(k, x[k])", "x.filter(k, k == k)", "x.all(k, v, k != v)",
  "x.exists(k, v, v == 1)", "x.transformList(k, v, v)", "x.transformMap(k, v, v)", "x.transformMapEntry(k, v, {v: k})",
  "int(x)", "uint(x)", "double(x)", "string(x)", "bytes(x)", "bool(x)", "timestamp(x)", "duration(x)", "dyn(x)",
  "x + x", "x - x", "x * 2", "x / x", "x % 2", "-x", "!x", "x < 1", "x >= x", "x ? 1 : 2", "x && true", "false && x", "true || x",
  "x.matches('a')", "x.startsWith('a')", "x.contains('a')", "'%s'.format([x])", "'%d'.format([x])", "[x].join(',')", "x.join()", "x.sort()", "x.distinct()",
  "x.reverse()", "x.flatten()", "x.slice(0, 1)", "x.first()", "sets.contains(x, x)", "sets.equivalent(x, [1])", "math.greatest(x, 1)", "base64.encode(x)",
  "optional.of(x)", "optional.ofNonZeroValue(x)", "optional.of(x).a", "x.orValue(1)", "x.hasValue()", "x.optMap(v, v)", "{x: 1}", "{'k': x}.k", "[x][0]", "[?x]",
  "cel.bind(v, x, v == v)", "x.getFullYear()", "x.getHours()", "timestamp(x) < timestamp(0)", "x.lowerAscii()", "[x, y].sortBy(v, v)",
];

describe("hostile data gives the same result in both forms", () => {
  test.each(Object.entries(HOSTILE))("%s", (_, make) => {
    for (const question of QUESTIONS) answer(question, { x: make(), y: make() });
  });

  test.each(Object.entries(UNANSWERING))("%s: an answer, at least", (_, make) => {
    for (const question of QUESTIONS) {
      for (const program of formsOf(question, env)) {
        expect(program.evaluate({ x: make(), y: make() })).toHaveProperty("cost");
      }
    }
  });
});

// biome-ignore format: one type per line
const TYPED: readonly (readonly [Type, readonly string[]])[] = [
  [BOOL,                ["x", "!x", "x && x", "x == true", "x ? 1 : 2", "[x].all(v, v)"]],
  [INT,                 ["x", "x + 1", "x * x", "x < 3", "x == 1", "-x", "[x].map(v, v + 1)", "string(x)", "[1, 2][x]", "x in [1, 2]", "double(x)"]],
  [UINT,                ["x", "x + 1u", "x < 3u", "x == 1u", "int(x)", "string(x)", "[x][0]"]],
  [DOUBLE,              ["x", "x + 1.0", "x < 3.0", "x == 1.0", "int(x)", "string(x)", "[x][0]", "-x"]],
  [STRING,              ["x", "x + 'a'", "x == 'a'", "x < 'b'", "size(x)", "x.startsWith('a')", "x.matches('a')", "{'a': 1}[x]", "x in {'a': 1}", "x.contains('a')", "x.lowerAscii()"]],
  [BYTES,               ["x", "x == b'a'", "size(x)", "x + b'a'", "x < b'b'", "string(x)"]],
  [TIMESTAMP,           ["x", "x == timestamp(0)", "x.getHours()", "x < timestamp(0)", "x - x", "string(x)", "int(x)"]],
  [DURATION,            ["x", "x == duration('1s')", "x.getHours()", "x + x", "string(x)"]],
  [listOf(INT),         ["x", "x[0]", "x[0] + 1", "x.all(v, v > 0)", "x.map(v, v * 2)", "size(x)", "1 in x", "x + [1]", "x == [1, 2]", "x.exists(i, v, i == v)"]],
  [listOf(DOUBLE),      ["x[0]", "x.all(v, v > 0.5)", "x.map(v, v * 2.0)", "x[0] == 1.0"]],
  [listOf(TIMESTAMP),   ["x[0]", "x.map(v, v.getHours())", "x[0] == timestamp(0)"]],
  [mapOf(STRING, INT),  ["x", "x.a", "x.a + 1", "has(x.a)", "x['a']", "x.map(k, x[k])", "'a' in x", "size(x)", "x.all(k, v, v > 0)", "x.constructor", "x.a.b", "x.?a", "has(x.constructor)"].filter((text) => text !== "x.a.b")],
  [mapOf(STRING, DYN),  ["x.a.b", "has(x.a.b)", "x.__proto__.a", "x.a[0]", "x.transformMap(k, v, v)"]],
  [optionalOf(INT),     ["x", "x.hasValue()", "x.value()", "x.orValue(1)", "x.or(optional.of(1))", "x.optMap(v, v + 1)"]],
];

describe("data of another type than declared gives the same result in both forms", () => {
  test.each(TYPED.map(([type, questions]) => ({ type: String(type), declared: type, questions })))(
    "$type",
    ({ declared, questions }) => {
      const typed = createEnv({ variables: { x: declared }, libraries, limits: { cost: 1_000_000 } });
      for (const question of questions)
        for (const make of Object.values(HOSTILE)) answer(question, { x: make() }, typed);
    },
  );
});

describe("names that JavaScript's objects have", () => {
  // biome-ignore format: one case per line
  const cases = [
    { expr: "x.constructor",                           x: {},                              want: "error no_such_key at 2: no such key: constructor, cost 2" },
    { expr: "x.__proto__",                             x: { a: 1 },                        want: "error no_such_key at 2: no such key: __proto__, cost 2" },
    { expr: "x['__proto__']",                          x: {},                              want: "error no_such_key at 2: no such key: __proto__, cost 2" },
    { expr: "x.toString.name",                         x: {},                              want: "error no_such_key at 3: no such key: toString, cost 2" },
    { expr: "has(x.hasOwnProperty)",                   x: {},                              want: "false, cost 2" },
    { expr: "'valueOf' in x",                          x: {},                              want: "false, cost 2" },
    { expr: "x.constructor.prototype",                 x: {},                              want: "error no_such_key at 3: no such key: constructor, cost 2" },
    { expr: "x.__proto__.a",                           x: JSON.parse('{"__proto__":{"a":1}}'), want: "1, cost 3" },
    { expr: "has(x.__proto__) && '__proto__' in x",    x: JSON.parse('{"__proto__":1}'),   want: "true, cost 4" },
    { expr: "x.map(k, x[k])",                          x: JSON.parse('{"__proto__":1,"constructor":2}'), want: "[1, 2], cost 30" },
    { expr: "x.a",                                     x: JSON.parse('{"__proto__":{"a":1}}'), want: "error no_such_key at 2: no such key: a, cost 2" },
    { expr: "x.length",                                x: [1, 2],                          want: "error invalid_argument at 2: unsupported index type 'string' in list, cost 2" },
    { expr: "x['0']",                                  x: [1, 2],                          want: "error invalid_argument at 2: unsupported index type 'string' in list, cost 2" },
    { expr: "x.map",                                   x: [1, 2],                          want: "error invalid_argument at 2: unsupported index type 'string' in list, cost 2" },
    { expr: "x.length",                                x: "text",                          want: "error no_such_key at 2: no such key: length, cost 2" },
    { expr: "x[0]",                                    x: new Uint8Array([1]),             want: "error no_such_key at 2: no such key: 0, cost 2" },
    { expr: "x.byteLength",                            x: new Uint8Array([1]),             want: "error no_such_key at 2: no such key: byteLength, cost 2" },
    { expr: "x.size",                                  x: new Map([["size", 1]]),          want: "error no_such_key at 2: no such key: size, cost 2" },
    { expr: "x.name",                                  x: () => 1,                         want: "error no_such_key at 2: no such key: name, cost 2" },
    { expr: "{'__proto__': 1}.__proto__",              x: null,                            want: "1, cost 2" },
    { expr: "{'__proto__': {'a': 1}}.a",               x: null,                            want: "error no_such_key at 8: no such key: a, cost 2" },
    { expr: "['__proto__'].transformMapEntry(i, k, {k: x})", x: 1,                         want: `{"__proto__": 1}, cost 35` },
    { expr: "x == {'constructor': 1}",                 x: { constructor: 1 },              want: "true, cost 2" },
    { expr: "x == {'toString': 1}",                    x: { a: 1 },                        want: "false, cost 2" },
    { expr: "[x].map(v, v.valueOf)",                   x: { valueOf: 3 },                  want: "[3], cost 26" },
  ];
  test.each(cases)("$expr", ({ expr, x, want }) => expect(answer(expr, { x })).toBe(want));

  test("variables of such names", () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];
    for (const name of names) {
      const declared: Env = createEnv({ variables: { [name]: DYN, other: DYN } });
      const vars = Object.defineProperty({}, name, { value: { a: 1 }, enumerable: true });
      const expr = `${name}.a`;
      for (const mode of ["interpreted", "compiled"] as const) {
        const program = declared.program(expr, { mode });
        expect(showOutcome(program.evaluate(vars))).toBe("1, cost 2");
        expect(showOutcome(program.evaluate({}))).toBe(
          `error no_such_attribute at 2: no such attribute(s): ${name}, cost 1`,
        );
        expect(showOutcome(program.evaluate(Object.create(null)))).toBe(
          `error no_such_attribute at 2: no such attribute(s): ${name}, cost 1`,
        );
      }
    }
  });

  test("loop variables and bound names of such names", () => {
    expect(answer("[1].map(constructor, constructor)", {})).toBe("[1], cost 14");
    expect(answer("[{'a': 2}].map(__proto__, __proto__.a)", {})).toBe("[2], cost 15");
    expect(answer("cel.bind(toString, 3, toString)", {})).toBe("3, cost 1");
  });
});

describe("a polluted Object.prototype", () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  afterEach(() => {
    delete prototype.polluted;
    delete prototype.x;
  });
  const questions = [
    "x.polluted",
    "has(x.polluted)",
    "'polluted' in x",
    "x.?polluted",
    "x.polluted.polluted",
    "[x].map(v, v.polluted)",
    "x.map(k, k)",
    "size(x)",
    "x == {}",
  ];

  test.each(questions)("is not data: %s", (expr) => {
    const interpreted = env.program(expr, { mode: "interpreted" });
    const compiled = env.program(expr, { mode: "compiled" });
    const clean = showOutcome(interpreted.evaluate({ x: {} }));
    for (let i = 0; i < 100; i++) compiled.evaluate({ x: {} });
    prototype.polluted = { polluted: true };
    prototype.x = 1;
    expect(showOutcome(interpreted.evaluate({ x: {} }))).toBe(clean);
    expect(showOutcome(compiled.evaluate({ x: {} }))).toBe(clean);
    expect(compiled.evaluate({}).error?.code).toBe("no_such_attribute");
  });

  test.each([
    "x.polluted",
    "has(x.polluted)",
    "'polluted' in x",
    "x[0]",
    "x[1]",
    "x[?0]",
    "x.all(v, v == 1)",
    "x.size()",
    "x == []",
  ])("nor is what arrays inherit: %s", (expr) => {
    const arrays = Array.prototype as unknown as Record<string, unknown>;
    for (const type of [DYN, listOf(DYN), listOf(INT)]) {
      const compile = (mode: Mode) => {
        const result = createEnv({ variables: { x: type }, libraries }).compile(expr, { mode });
        return result.ok ? (result.program as Program) : undefined;
      };
      const programs = [compile("interpreted"), compile("compiled")].filter((program) => program !== undefined);
      const clean = programs.map((program) => showOutcome(program.evaluate({ x: [] })));
      arrays.polluted = 1;
      arrays[0] = 1;
      arrays[1] = 1;
      const found = programs.map((program) => showOutcome(program.evaluate({ x: [] })));
      delete arrays.polluted;
      delete arrays[0];
      delete arrays[1];
      expect(found).toEqual(clean);
    }
  });

  test("nothing that is evaluated pollutes", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    const x = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');
    for (const expr of [
      "x",
      "x.transformMap(k, v, v)",
      "{'__proto__': {'polluted': true}}",
      "x.map(k, x[k])",
      "[x, x]",
      "x == x",
    ])
      answer(expr, { x });
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("large data", () => {
  const text = "ab€".repeat(3_500_000);
  const list = Array.from({ length: 300_000 }, (_, i) => i);
  const map = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, i]));
  const unlimited = createEnv({ variables: { x: DYN, y: DYN }, libraries });

  // biome-ignore format: one case per line
  const cases = [
    { expr: "size(x) + size(y)",                      x: text, y: text, want: "21000000, cost 5" },
    { expr: "x == y",                                 x: text, y: `${text}`, want: "true, cost 1050002" },
    { expr: "x.contains('ba')",                       x: text, y: 0, want: "false, cost 1050001" },
    { expr: "x.matches('^(ab€)*$')",                  x: text, y: 0, want: "true, cost 2100003" },
    { expr: "size(x + y)",                            x: text, y: text, want: "21000000, cost 4" },
    { expr: "x.all(i, i >= 0)",                       x: list, y: 0, want: "true, cost 1500002" },
    { expr: "x.exists(i, i == 299999)",               x: list, y: 0, want: "true, cost 1800002" },
    { expr: "x.map(i, i + 1).size()",                 x: list, y: 0, want: "300000, cost 4200003" },
    { expr: "x.filter(i, i % 2 == 0).size()",         x: list, y: 0, want: "150000, cost 2850003" },
    { expr: "x == y",                                 x: list, y: [...list], want: "true, cost 30002" },
    { expr: "299999 in x",                            x: list, y: 0, want: "true, cost 2" },
    { expr: "x[299999]",                              x: list, y: 0, want: "299999, cost 2" },
    { expr: "(x + y).size()",                         x: list, y: list, want: "600000, cost 4" },
    { expr: "x.all(k, v, x[k] == v)",                 x: map,  y: 0, want: "true, cost 700002" },
    { expr: "x.transformMap(k, v, v + 1).size()",     x: map,  y: 0, want: "100000, cost 500003" },
    { expr: "lists.range(3000000000).exists(i, i == 3)", x: 0, y: 0, want: "error invalid_argument at 2: lists.range: size 3000000000 exceeds maximum allowed (1000000), cost 12" },
    { expr: "lists.range(9223372036854775807).exists(i, j, j == 3)", x: 0, y: 0, want: "error invalid_argument at 2: lists.range: size 9223372036854775807 exceeds maximum allowed (1000000), cost 12" },
  ];
  test.each(cases)("$expr", ({ expr, x, y, want }) => expect(answer(expr, { x, y }, unlimited)).toBe(want));
});
