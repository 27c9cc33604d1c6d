// Parts of written trees, as mutants change them: one node for another, and chains of && and || of any shape.

import { type Call, callNode, type Expr, withChildren } from "@celadon/cel/ast";

export type Chain = "_&&_" | "_||_";

/** The same tree with another node in the place of one of its own. */
export function replaceIn(root: Expr, node: Expr, replacement: Expr): Expr {
  if (root === node) return replacement;
  return withChildren(root, (child) => replaceIn(child, node, replacement));
}

export function isCall<N extends string>(expr: Expr, name: N): expr is Call & { readonly function: N } {
  return expr.kind === "call" && expr.function === name;
}

/** The operands of a chain of one operator, from left to right; the node alone if it is not a chain. */
export function termsOf(expr: Expr, operator: Chain): readonly Expr[] {
  return isCall(expr, operator) ? expr.args.flatMap((arg) => termsOf(arg, operator)) : [expr];
}

/** A chain in the balanced shape that the parser gives it, so that it is printed without parentheses. */
export function chainOf(terms: readonly Expr[], operator: Chain): Expr {
  if (terms.length === 1) return terms[0]!;
  const left = (terms.length + 1) >> 1;
  return callNode(operator, chainOf(terms.slice(0, left), operator), chainOf(terms.slice(left), operator));
}
