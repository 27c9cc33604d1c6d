// The checker's results: types, and what names and calls mean.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Expr } from "../ast/expr.ts";
import type { TypeProvider } from "../types/provider.ts";
import { formatType, INT, listOf, mapOf, STRING, struct } from "../value/type.ts";
import { check } from "./check.ts";
import { checkText, type TestEnvironment, testDeclarations } from "./environment.testing.ts";
import { printChecked } from "./print.ts";

describe("types, as recorded from the reference", () => {
  const recorded = readFileSync(new URL("testdata/types.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { expr: string; type: string });
  test.each(recorded)("$expr: $type", ({ expr, type }) => {
    const checked = checkText(expr, { variables: { object: "dyn" } });
    expect(checked.issues).toEqual([]);
    expect(formatType(checked.type)).toBe(type);
  });
});

// biome-ignore format: one case per line
const mixed = [
  { expr: "[1, 'a']",                want: "list(dyn)" },
  { expr: "[1, dyn('a')]",           want: "list(dyn)" },
  { expr: "[null, timestamp(0)]",    want: "list(timestamp)" },
  { expr: "[timestamp(0), null]",    want: "list(null)" },
  { expr: "{'a': 1, 2: 'b'}",        want: "map(dyn, dyn)" },
  { expr: "[].map(x, [x, type(x)])", want: "list(list(dyn))" },
  { expr: "[[1], ['a']]",            want: "list(dyn)" },
];
test.each(mixed)("mixed elements: $expr is $want", ({ expr, want }) => {
  expect(formatType(checkText(expr).type)).toBe(want);
});

/** A message type `a.b.Pod` with a nested one and an enum. */
const messages: TypeProvider = {
  findStruct(name) {
    const fields = {
      "a.b.Pod": { name: STRING, ports: listOf(INT), meta: struct("a.b.Meta") },
      "a.b.Meta": { labels: mapOf(STRING, STRING) },
    }[name];
    if (fields === undefined) {
      return undefined;
    }
    const types = new Map(Object.entries(fields));
    const field = (key: string) => {
      const type = types.get(key);
      return type && { name: key, type };
    };
    return { type: struct(name), field, fieldNames: () => [...types.keys()] };
  },
  findIdent: (name) => (name === "a.b.Phase.RUNNING" ? { name, type: INT, value: 2 } : undefined),
};

describe("names", () => {
  const env: TestEnvironment = {
    container: "a.b",
    aliases: { short: "very.long.name", Alias: "a.b.Pod" },
    variables: {
      x: "int",
      "a.x": "string",
      "a.b.c.d": "bool",
      c: "map(string, map(string, uint))",
      y: "double",
      "very.long.name": "bytes",
      "very.long.name.z": "dyn",
    },
    functions: [
      "twice twice (int) -> int",
      "a.twice a_twice (int) -> string",
      "m.n.f m_n_f (int) -> double",
      "f f int.(int) -> uint",
    ],
    provider: messages,
  };
  // biome-ignore format: one case per line
  const cases = [
    { expr: "x",                          want: "a.x~string^a.x" },
    { expr: ".x",                         want: "x~int^x" },
    { expr: "y",                          want: "y~double^y" },
    { expr: "c.d",                        want: "a.b.c.d~bool^a.b.c.d" },
    { expr: ".c.d",                       want: "c~map(string, map(string, uint))^c.d~map(string, uint)" },
    { expr: "c.e",                        want: "c~map(string, map(string, uint))^c.e~map(string, uint)" },
    { expr: "c.e.f",                      want: "c~map(string, map(string, uint))^c.e~map(string, uint).f~uint" },
    { expr: "a.b.c.d",                    want: "a.b.c.d~bool^a.b.c.d" },
    { expr: "short",                      want: "very.long.name~bytes^very.long.name" },
    { expr: "short.z",                    want: "very.long.name.z~dyn^very.long.name.z" },
    { expr: "has(c.d)",                   want: "c~map(string, map(string, uint))^c.d~test-only~~bool" },
    { expr: "Pod",                        want: "a.b.Pod~type(a.b.Pod)^a.b.Pod" },
    { expr: "Phase.RUNNING",              want: "a.b.Phase.RUNNING~int^a.b.Phase.RUNNING" },
    { expr: "Pod{}.meta.labels",          want: "a.b.Pod{}~a.b.Pod^a.b.Pod.meta~a.b.Meta.labels~map(string, string)" },
    { expr: "Alias{name: 'a'}",           want: `a.b.Pod{\n  name:"a"~string\n}~a.b.Pod^a.b.Pod` },
    { expr: ".a.b.Pod{}.ports[0]",        want: "_[_](\n  a.b.Pod{}~a.b.Pod^a.b.Pod.ports~list(int),\n  0~int\n)~int^index_list" },
    { expr: "twice(1)",                   want: "a.twice(\n  1~int\n)~string^a_twice" },
    { expr: ".twice(1)",                  want: "twice(\n  1~int\n)~int^twice" },
    { expr: "m.n.f(1)",                   want: "m.n.f(\n  1~int\n)~double^m_n_f" },
    { expr: ".x.f(1)",                    want: "x~int^x.f(\n  1~int\n)~uint^f" },
    { expr: "a.twice(1)",                 want: "a.twice(\n  1~int\n)~string^a_twice" },
    { expr: "optional.of(1).hasValue()",  want: "optional.of(\n  1~int\n)~optional_type(int)^optional_of.hasValue()~bool^optional_hasValue" },
    { expr: "c.?d",                       want: `_?._(\n  c~map(string, map(string, uint))^c,\n  "d"\n)~optional_type(map(string, uint))^select_optional_field` },
  ];
  test.each(cases)("$expr", ({ expr, want }) => {
    const checked = checkText(expr, env);
    expect(checked.issues).toEqual([]);
    expect(printChecked(checked)).toBe(want);
  });

  test("a loop's variable hides a global of the same name, and one of the container since 0.29", () => {
    const inner = (name: string): string => {
      const checked = checkText(`[true].map(${name}, ${name})`, env);
      return formatType(checked.type);
    };
    expect(inner("y")).toBe("list(bool)");
    expect(inner("x")).toBe("list(bool)");
  });

  test("of two loop variables with one name the first counts", () => {
    const literal = (id: number, value: unknown): Expr => ({ kind: "literal", id, value });
    const fold: Expr = {
      kind: "comprehension",
      id: 1,
      iterVar: "k",
      iterVar2: "k",
      accuVar: "acc",
      range: { kind: "map", id: 2, entries: [{ id: 3, key: literal(4, "a"), value: literal(5, 1), optional: false }] },
      init: literal(6, "x"),
      condition: literal(7, true),
      step: { kind: "ident", id: 8, name: "k" },
      result: { kind: "ident", id: 9, name: "acc" },
    };
    const { ast } = checkText("1");
    const checked = check({ ...ast, expr: fold }, testDeclarations());
    expect(checked.issues).toEqual([]);
    expect(checked.types.get(8)).toBe(STRING);
  });
});

describe("references", () => {
  test("a qualified function leaves its receiver without meaning", () => {
    const checked = checkText("optional.of(1)");
    const { expr } = checked.ast;
    expect(checked.references.get(expr.id)).toMatchObject({ kind: "function", name: "optional.of", qualified: true });
    expect(expr.kind === "call" && expr.target && checked.references.get(expr.target.id)).toBeUndefined();
    expect(checked.references.size).toBe(1);
  });
  test("all overloads that fit are kept", () => {
    const checked = checkText("object + 1 == object - object", { variables: { object: "dyn" } });
    const ids = [...checked.references.values()].map((reference) =>
      reference.kind === "function" ? reference.overloads.map((row) => row.id) : reference.name,
    );
    expect(ids).toContainEqual(["add_int64"]);
    expect(ids.flat()).toContain("subtract_timestamp_timestamp");
  });
  test("type names and enum members are constants", () => {
    const named = checkText("int");
    expect([...named.references.values()]).toEqual([{ kind: "constant", name: "int", value: INT }]);
    const member = checkText("google.protobuf.NullValue.NULL_VALUE");
    expect(member.references.get(member.ast.expr.id)).toMatchObject({ kind: "constant", value: 0 });
  });
  test("a struct literal knows how it is built", () => {
    const checked = checkText("google.protobuf.Int32Value{value: 1}");
    const reference = checked.references.get(checked.ast.expr.id);
    expect(reference?.kind === "struct" && reference.name).toBe("google.protobuf.Int32Value");
    expect(reference?.kind === "struct" && reference.struct.create?.(new Map([["value", 7]]))).toBe(7);
  });
});

describe("comparing int, uint and double", () => {
  const options = { crossTypeNumericComparisons: false };
  test("may be switched off", () => {
    expect(checkText("1 < 2.5").issues).toEqual([]);
    expect(checkText("1 < 2.5", {}, options).issues).toMatchObject([
      { message: "found no matching overload for '_<_' applied to '(int, double)'" },
    ]);
    expect(checkText("1u >= 2", {}, options).issues).toHaveLength(1);
  });
  test("is on again inside and after a comprehension, as in the reference", () => {
    expect(checkText("[1].all(x, x < 2.5) && 1 < 2.5", {}, options).issues).toEqual([]);
  });
});
