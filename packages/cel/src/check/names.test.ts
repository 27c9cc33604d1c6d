import { expect, test } from "vitest";
import type { Expr } from "../ast/expr.ts";
import { candidateNames, createNamespace, qualifiedName, rootName } from "./names.ts";

// biome-ignore format: one case per line
const cases = [
  { container: "",        name: "x",       want: ["x"] },
  { container: "",        name: ".x.y",    want: ["x.y"] },
  { container: "a.b.c.M", name: "R.s",     want: ["a.b.c.M.R.s", "a.b.c.R.s", "a.b.R.s", "a.R.s", "R.s"] },
  { container: "a.b",     name: ".R",      want: ["R"] },
  { container: "a.b",     name: "T",       want: ["my.alias.T"] },
  { container: "a.b",     name: "T.U.v",   want: ["my.alias.T.U.v"] },
  { container: "a.b",     name: ".T.v",    want: ["my.alias.T.v"] },
  { container: "a",       name: "Tx",      want: ["a.Tx", "Tx"] },
];
test.each(cases)("$name in container '$container'", ({ container, name, want }) => {
  const aliases = new Map([["T", "my.alias.T"]]);
  expect(candidateNames(createNamespace(container, aliases), name)).toEqual(want);
});

const ident: Expr = { kind: "ident", id: 1, name: "a" };
const select = (operand: Expr, field: string, testOnly = false): Expr => ({
  kind: "select",
  id: 2,
  operand,
  field,
  test: testOnly,
});
const call: Expr = { kind: "call", id: 3, function: "f", target: undefined, args: [] };

test("only names and dots make a qualified name", () => {
  expect(qualifiedName(select(select(ident, "b"), "c"))).toBe("a.b.c");
  expect(qualifiedName(select(ident, "b", true))).toBeUndefined();
  expect(qualifiedName(select(select(ident, "b", true), "c"))).toBeUndefined();
  expect(qualifiedName(select(call, "b"))).toBeUndefined();
  expect(rootName(select(select(ident, "b"), "c"))).toBe("a");
  expect(rootName(select(call, "c"))).toBeUndefined();
});
