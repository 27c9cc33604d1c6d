// Expressions as their authors wrote them: macros are calls, not their expansions. For programs that change expressions: they take the
// written tree, put another together from its parts and new nodes, and print that. New nodes have no numbers of their own, because the
// printed text is parsed and checked anew.

import type { Ast, Expr } from "./expr.ts";
import { unparse } from "./unparse.ts";

/** Nodes keep the numbers, and so the spans, that they have in the parsed tree. */
export function writtenTree({ expr, macroCalls }: Pick<Ast, "expr" | "macroCalls">): Expr {
  const written = (node: Expr): Expr => {
    const macro = node.kind === "select" ? undefined : macroCalls.get(node.id);
    return withChildren(macro?.kind === "call" ? { ...macro, id: node.id } : node, written);
  };
  return written(expr);
}

/** The text of a written tree. */
export function unparseWritten(expr: Expr): string {
  return unparse({ expr, source: { name: "<input>", text: "" }, spans: new Map(), macroCalls: new Map() });
}

/** The same node with other children; itself when none is another. Throws on comprehensions, which no written tree has. */
export function withChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  let changed = false;
  const copy = copyWith(expr, (child) => {
    const other = change(child);
    changed ||= other !== child;
    return other;
  });
  return changed ? copy : expr;
}

function copyWith(expr: Expr, change: (child: Expr) => Expr): Expr {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return expr;
    case "select":
      return { ...expr, operand: change(expr.operand) };
    case "call":
      return { ...expr, target: expr.target && change(expr.target), args: expr.args.map(change) };
    case "list":
      return { ...expr, elements: expr.elements.map(change) };
    case "map":
      return {
        ...expr,
        entries: expr.entries.map((entry) => ({ ...entry, key: change(entry.key), value: change(entry.value) })),
      };
    case "struct":
      return { ...expr, fields: expr.fields.map((field) => ({ ...field, value: change(field.value) })) };
    case "comprehension":
      throw new Error(`no macro call is recorded for the comprehension ${expr.id}`);
  }
}

/** A constant, as a node to put into a written tree. */
export const literalNode = (value: unknown): Expr => ({ kind: "literal", id: 0, value });

/** A call of a function, or of an operator by its name: `_&&_`. */
export const callNode = (name: string, ...args: readonly Expr[]): Expr => ({
  kind: "call",
  id: 0,
  function: name,
  target: undefined,
  args,
});
