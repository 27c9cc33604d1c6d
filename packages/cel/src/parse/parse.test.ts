// Trees from testdata/trees.txt; everything that is wrong with a text compared with the reference's own words, places and
// frames: testdata/syntax-error.jsonl (written by hand) and testdata/recovery.jsonl (mutated expressions).

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { print } from "../ast/print.testing.ts";
import { DEFAULT_PARSE_LIMITS } from "./parse.ts";
import { EVERYTHING, errorsOf, KUBERNETES, parseText, treeOf } from "./parsing.testing.ts";

const testdata = (name: string): string => readFileSync(new URL(`./testdata/${name}`, import.meta.url), "utf8");
const rows = (name: string): Record<string, string>[] =>
  testdata(name)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

const trees = testdata("trees.txt")
  .split(/^# .*\n\n/m)
  .slice(1)
  .map((section) => {
    const [source, tree] = section.split("\n\n==>\n\n");
    return { source: source!, tree: tree!.trim() };
  });

describe("trees", () => {
  test.each(trees)("$source", ({ source, tree }) => expect(print(treeOf(source).expr)).toBe(tree));
});

describe("syntax errors", () => {
  test.each(rows("syntax-error.jsonl"))("$id", ({ expr, compileError }) => {
    const got = errorsOf(expr!, KUBERNETES);
    // some of these are valid or pass the parser and fail the checker
    const passes = got === "" && !compileError?.includes("Syntax error");
    expect(passes ? compileError : `compilation failed: ${got}`).toBe(compileError);
  });
});

describe("recovery", () => {
  test.each(rows("recovery.jsonl"))("$expr", ({ expr, error }) => expect(errorsOf(expr!, KUBERNETES)).toBe(error));
});

// biome-ignore format: one case per line
const otherErrors = [
  { source: "if",                          want: "1:1 reserved identifier: if" },
  { source: ".while + 1",                  want: "1:1 reserved identifier: while" },
  { source: "let(1)",                      want: "1:1 reserved identifier: let" },
  { source: "9223372036854775808",         want: "1:1 invalid int literal" },
  { source: "1 - -9223372036854775809",    want: "1:5 invalid int literal" },
  { source: "0x8000000000000000",          want: "1:1 invalid int literal" },
  { source: "18446744073709551616u",       want: "1:1 invalid uint literal" },
  { source: "1e309",                       want: "1:1 invalid double literal" },
  { source: "'\\ud800'",                   want: "1:1 invalid unicode code point" },
  { source: "'\\U00110000'",               want: "1:1 invalid unicode code point" },
  { source: "b'\\u0041'",                  want: "1:1 unable to unescape string" },
  { source: "a.`b`",                       want: "1:3 unsupported syntax: '`'" },
  { source: "M{`b`: 1}",                   want: "1:3 unsupported syntax: '`'" },
  { source: "a.?b",                        want: "1:2 unsupported syntax '.?'" },
  { source: "a[?b]",                       want: "1:2 unsupported syntax '[?'" },
  { source: "[1, ?b]",                     want: "1:5 unsupported syntax '?'" },
  { source: "{?a: b}",                     want: "1:2 unsupported syntax '?'" },
  { source: "M{?a: b}",                    want: "1:3 unsupported syntax '?'" },
  { source: "has(a)",                      want: "1:5 invalid argument to has() macro" },
  { source: "has(a.b())",                  want: "1:8 invalid argument to has() macro" },
  { source: "a.all(b.c, true)",            want: "1:8 argument must be a simple name" },
  { source: "a.exists(1, true)",           want: "1:10 argument must be a simple name" },
  { source: "a.map(1, true)",              want: "1:7 argument is not an identifier" },
  { source: "a.filter(f(), true)",         want: "1:11 argument is not an identifier" },
  { source: "a.all(__result__, true)",     want: "1:7 iteration variable overwrites accumulator variable" },
  { source: "a.all(x, x, true)",           want: "1:10 duplicate variable name: x" },
  { source: "a.transformMap(1, x, true)",  want: "1:16 argument must be a simple name" },
  { source: "a.exists(x, 1, true)",        want: "1:13 argument must be a simple name" },
  { source: "a.all(x, __result__, x)",     want: "1:10 iteration variable overwrites accumulator variable" },
  { source: "a.optMap(1, 2)",              want: "1:10 optMap() variable name must be a simple identifier" },
  { source: "a.optFlatMap(b.c, 2)",        want: "1:15 optFlatMap() variable name must be a simple identifier" },
  { source: "if + [a.map(1, 2), for]",     want: "1:1 reserved identifier: if, 1:13 argument is not an identifier, 1:20 reserved identifier: for" },
];
test.each(otherErrors)("$source", ({ source, want }) => {
  const options = { ...EVERYTHING, optionalSyntax: false, backtickIdentifiers: false };
  const heads = errorsOf(source, options)
    .split("\n")
    .filter((line) => line.startsWith("ERROR: "));
  expect(heads.map((line) => line.replace(/^ERROR: <input>:(\d+:\d+):/, "$1")).join(", ")).toBe(want);
});

const times = (n: number, text: string): string => text.repeat(n);
const GRAMMAR = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
const TREE = "ERROR: <input>:-1:0: max recursion depth exceeded";

// Every rule of the grammar has the limit for itself, and operators to the right open a rule of their own.
// biome-ignore format: one case per line
const depths = [
  { name: "parentheses",   most: 249, text: (n: number) => `${times(n, "(")}1${times(n, ")")}`,            error: GRAMMAR },
  { name: "lists",         most: 249, text: (n: number) => `${times(n, "[")}1${times(n, "]")}`,            error: GRAMMAR },
  { name: "maps",          most: 249, text: (n: number) => `${times(n, "{1:")}1${times(n, "}")}`,          error: GRAMMAR },
  { name: "calls",         most: 249, text: (n: number) => `${times(n, "f(")}1${times(n, ")")}`,           error: GRAMMAR },
  { name: "right sums",    most: 124, text: (n: number) => `${times(n, "1+(")}1${times(n, ")")}`,          error: GRAMMAR },
  { name: "right mixed",   most: 83,  text: (n: number) => `${times(n, "1+1*(")}1${times(n, ")")}`,        error: GRAMMAR },
  { name: "right equal",   most: 124, text: (n: number) => `${times(n, "1==(")}1${times(n, ")")}`,         error: GRAMMAR },
  { name: "ternaries",     most: 249, text: (n: number) => `${times(n, "a?b:")}c`,                         error: GRAMMAR },
  { name: "left sums",     most: 250, text: (n: number) => `1${times(n, "+1")}`,                           error: TREE },
  { name: "left equal",    most: 250, text: (n: number) => `1${times(n, "==1")}`,                          error: TREE },
  { name: "selections",    most: 250, text: (n: number) => `a${times(n, ".b")}`,                           error: TREE },
  { name: "indexing",      most: 250, text: (n: number) => `a${times(n, "[0]")}`,                          error: TREE },
  { name: "member calls",  most: 250, text: (n: number) => `a${times(n, ".f()")}`,                         error: TREE },
];
test.each(depths)("$name may be $most deep", ({ most, text, error }) => {
  expect(errorsOf(text(most))).toBe("");
  expect(errorsOf(text(most + 1))).toBe(error);
});

test("chains of && may be as long as the text", () => {
  expect(errorsOf(`a${times(9_000, " && a")}`)).toBe("");
});

test("limits", () => {
  expect(errorsOf("a".repeat(100_001))).toBe(
    "ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100001, limit 100000",
  );
  expect(errorsOf(`'${"😀".repeat(99_998)}'`)).toBe("");
  expect(parseText("@".repeat(150)).issues).toHaveLength(101);
  expect(errorsOf("@".repeat(150))).toMatch(/\n1 more errors were truncated$/);
  expect(errorsOf("[ ) ".repeat(40))).toContain("Syntax error: error recovery attempt limit exceeded: 30");
  expect(errorsOf(`f(1 ${"a ".repeat(300)}`)).toContain("error recovery token lookahead limit exceeded: 256");
});

test("macros that copy their target cannot fill the memory", () => {
  const { ast, issues } = parseText(`a${".optMap(x, x)".repeat(40)}`);
  expect(ast).toBeUndefined();
  expect(issues.map((issue) => issue.code)).toEqual(["too_many_nodes"]);
});

test("a recursion limit beyond the host's stack is an issue, not a crash", () => {
  const options = { ...EVERYTHING, limits: { ...DEFAULT_PARSE_LIMITS, recursion: 1_000_000 } };
  expect(parseText(`${"(".repeat(40_000)}1`, options).issues[0]?.code).toBe("nested_too_deeply");
});

describe("spans", () => {
  const at = (text: string): string[] => {
    const { spans } = treeOf(text);
    return [...spans].map(([id, { start, end, at }]) => `${id} ${text.slice(start, end)} @${at}`);
  };

  test("cover the written text and point at operators", () => {
    expect(at("(a + 1) * f(b)")).toEqual([
      "1 a @1",
      "2 a + 1 @3",
      "3 1 @5",
      "4 (a + 1) * f(b) @8",
      "5 f(b) @11",
      "6 b @12",
    ]);
    expect(at("a.b[c]")).toEqual(["1 a @0", "2 a.b @1", "3 a.b[c] @3", "4 c @4"]);
    expect(at("a ? -1 : !b")).toEqual(["1 a @0", "2 a ? -1 : !b @2", "3 -1 @4", "4 !b @9", "5 b @10"]);
    expect(at("{k: 1}.x.?y")).toEqual([
      "1 {k: 1} @0",
      "2 k: 1 @2",
      "3 k @1",
      "4 1 @4",
      "5 {k: 1}.x @6",
      "6 y @10",
      "7 {k: 1}.x.?y @8",
    ]);
    expect(at("a.M{f: 1}")).toEqual(["1 a.M{f: 1} @3", "2 f: 1 @5", "3 1 @7"]);
    expect(at(".a && b || c")).toEqual(["1 .a @1", "2 b @6", "3 .a && b @3", "4 c @11", "5 .a && b || c @8"]);
  });

  test("of nodes made by a macro are the call's", () => {
    const { expr, spans, macroCalls } = treeOf("1 + a.exists(x, x)");
    const fold = expr.kind === "call" ? expr.args[1]! : expr;
    expect(spans.get(fold.id)).toEqual({ start: 4, end: 18, at: 12 });
    expect(macroCalls.get(fold.id)).toMatchObject({
      kind: "call",
      function: "exists",
      args: [{ name: "x" }, { name: "x" }],
    });
  });
});
