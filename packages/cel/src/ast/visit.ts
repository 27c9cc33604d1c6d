// Walking trees. Without recursion, so that a tree of any depth can be walked.

import type { Expr } from "./expr.ts";

/** Receives the nodes of a tree as `visit` walks it. */
export interface Visitor {
  /** Before a node's children; answer false to leave them out (and `leave` with them). */
  enter?(expr: Expr, parent: Expr | undefined): boolean | undefined;
  /** After a node's children. */
  leave?(expr: Expr, parent: Expr | undefined): void;
}

/** Visits a tree depth first, children in the order of `childrenOf`. */
export function visit(root: Expr, visitor: Visitor): void {
  const stack: { expr: Expr; parent: Expr | undefined; entered: boolean }[] = [
    { expr: root, parent: undefined, entered: false },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { expr, parent } = top;
    if (top.entered) {
      visitor.leave?.(expr, parent);
      continue;
    }
    if (visitor.enter?.(expr, parent) === false) continue;
    top.entered = true;
    stack.push(top);
    const children = childrenOf(expr);
    for (let i = children.length - 1; i >= 0; i--) stack.push({ expr: children[i]!, parent: expr, entered: false });
  }
}

/** A node's direct children in the order they are written: receivers before arguments, keys before values. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case "literal":
    case "ident":
      return NONE;
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

const NONE: readonly Expr[] = [];

/** Every node's parent by the node's id; the root has none. */
export function parentsOf(root: Expr): ReadonlyMap<number, Expr> {
  const parents = new Map<number, Expr>();
  visit(root, {
    enter(expr, parent) {
      if (parent !== undefined) parents.set(expr.id, parent);
      return undefined;
    },
  });
  return parents;
}

/** Every node by its id. Entries of maps and fields of messages have ids but are no nodes. */
export function nodesOf(root: Expr): ReadonlyMap<number, Expr> {
  const nodes = new Map<number, Expr>();
  visit(root, {
    enter(expr) {
      nodes.set(expr.id, expr);
      return undefined;
    },
  });
  return nodes;
}
