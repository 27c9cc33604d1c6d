import { expect, test } from "vitest";
import { treeOf } from "../parse/parsing.testing.ts";
import type { Expr } from "./expr.ts";
import { visit } from "./visit.ts";
import { callNode, literalNode, unparseWritten, withChildren, writtenTree } from "./written.ts";

const TEXTS = [
  "a.all(x, x.exists(y, x.exists_one(x, x == y)))",
  "has(a.b) && has(a.b.c) ? a.?b[?c].orValue([?d]) : {?e: f}",
  "a.filter(x, has(x.y)).map(x, x > 1, x.y + 1)",
  "M{f: [a, {b: c.map(d, d)}]}.f",
  "-(-1) - -a",
];

test.each(TEXTS)("%s is printed as it was written, with the numbers it had", (text) => {
  const ast = treeOf(text);
  const written = writtenTree(ast);
  expect(unparseWritten(written)).toBe(text);
  visit(written, {
    enter: (node) => {
      expect(node.kind).not.toBe("comprehension");
      expect(ast.spans.has(node.id)).toBe(true);
      return undefined;
    },
  });
});

test("a node whose children stay is itself", () => {
  const written = writtenTree(treeOf("f(a, [b], {c: d}, e.g)"));
  const same = (node: Expr): Expr => withChildren(node, same);
  expect(same(written)).toBe(written);
  const renamed = (node: Expr): Expr =>
    node.kind === "ident" ? { ...node, name: `${node.name}1` } : withChildren(node, renamed);
  expect(unparseWritten(renamed(written))).toBe("f(a1, [b1], {c1: d1}, e1.g)");
});

test("a composed tree is printed with the parentheses it needs", () => {
  const or = callNode("_||_", literalNode(true), callNode("f"));
  expect(unparseWritten(callNode("_&&_", or, callNode("!_", or)))).toBe("(true || f()) && !(true || f())");
});

test("comprehensions have no written form of their own", () => {
  const { expr } = treeOf("a.all(x, x)");
  expect(() => withChildren(expr, (child) => child)).toThrow("no macro call is recorded");
});
