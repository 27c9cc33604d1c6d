// A tree in the order in which validators report: children before their parent, each with its ancestors at hand.

import type { Expr } from "../ast/expr.ts";

/** `ancestors` is outermost first, lives only during the call and must not be kept. */
export type Visit = (expr: Expr, ancestors: readonly Expr[]) => void;

export function walk(expr: Expr, visit: Visit): void {
  descend(expr, visit, []);
}

function descend(expr: Expr, visit: Visit, ancestors: Expr[]): void {
  ancestors.push(expr);
  for (const child of childrenOf(expr)) {
    descend(child, visit, ancestors);
  }
  ancestors.pop();
  visit(expr, ancestors);
}

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return [];
    case "select":
      return [expr.operand];
    case "call":
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case "list":
      return expr.elements;
    case "map":
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return expr.fields.map((field) => field.value);
    case "comprehension":
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
  }
}
