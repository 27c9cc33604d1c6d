import { expect, test } from "vitest";
import { treeOf } from "../parse/parsing.testing.ts";
import type { Expr } from "./expr.ts";
import { childrenOf, nodesOf, parentsOf, visit } from "./visit.ts";

test("children come in the order they are written", () => {
  const { expr } = treeOf("a.f(b, [c, {d: e}], M{g: h}, i.all(j, k))");
  const order: string[] = [];
  visit(expr, {
    enter: (node) => {
      if (node.kind === "ident") order.push(node.name);
      return undefined;
    },
  });
  expect(order).toEqual(["a", "b", "c", "d", "e", "h", "i", "@result", "@result", "k", "@result"]);
});

test("leave comes after the children, and false leaves them out", () => {
  const trace: string[] = [];
  visit(treeOf("a + b.c").expr, {
    enter: (node) => {
      trace.push(`+${node.kind}`);
      return node.kind !== "select";
    },
    leave: (node) => trace.push(`-${node.kind}`),
  });
  expect(trace).toEqual(["+call", "+ident", "-ident", "+select", "-call"]);
});

test("parents and nodes by id", () => {
  const { expr } = treeOf("a.b[c]");
  const parents = parentsOf(expr);
  for (const [id, node] of nodesOf(expr)) {
    const parent = parents.get(id);
    if (parent === undefined) expect(node).toBe(expr);
    else expect(childrenOf(parent)).toContain(node);
  }
});

test("a tree of any depth", () => {
  let expr: Expr = { kind: "ident", id: 0, name: "a" };
  for (let id = 1; id <= 100_000; id++) expr = { kind: "select", id, operand: expr, field: "b", test: false };
  expect(nodesOf(expr).size).toBe(100_001);
});
