// A tree in the order in which validators report: children before their parent, each with its ancestors at hand.

import type { Expr } from "../ast/expr.ts";
import { childrenOf } from "../ast/visit.ts";

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
