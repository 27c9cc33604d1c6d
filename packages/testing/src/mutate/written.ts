// Expressions as their authors wrote them: macros are calls, not what they expand to. Mutants change such trees and are printed from
// them; numbers of nodes stay those of the parsed tree, whose spans they have.

import { type Ast, type Call, type Expr, unparse } from "@celadon/cel";

export type Chain = "_&&_" | "_||_";

export function writtenTree({ expr, macroCalls }: Pick<Ast, "expr" | "macroCalls">): Expr {
  const written = (node: Expr): Expr => {
    const macro = node.kind === "select" ? undefined : macroCalls.get(node.id);
    return withChildren(macro?.kind === "call" ? { ...macro, id: node.id } : node, written);
  };
  return written(expr);
}

export function printTree(expr: Expr): string {
  return unparse({ expr, source: { name: "<input>", text: "" }, spans: new Map(), macroCalls: new Map() });
}

/** The same tree with another node in the place of one of its own. */
export function replaceIn(root: Expr, node: Expr, replacement: Expr): Expr {
  if (root === node) return replacement;
  return withChildren(root, (child) => replaceIn(child, node, replacement));
}

/** The same node with other children; itself when none is another. */
export function withChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
  let changed = false;
  const each = (child: Expr): Expr => {
    const other = change(child);
    changed ||= other !== child;
    return other;
  };
  const copy = copyWith(expr, each);
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

export function isCall<N extends string>(expr: Expr, name: N): expr is Call & { readonly function: N } {
  return expr.kind === "call" && expr.function === name;
}

export const literal = (value: unknown): Expr => ({ kind: "literal", id: 0, value });

export const call = (name: string, ...args: Expr[]): Expr => ({
  kind: "call",
  id: 0,
  function: name,
  target: undefined,
  args,
});

/** The operands of a chain of one operator, from left to right; the node alone when it is none. */
export function termsOf(expr: Expr, operator: Chain): readonly Expr[] {
  return isCall(expr, operator) ? expr.args.flatMap((arg) => termsOf(arg, operator)) : [expr];
}

/** A chain in the balanced shape that the parser gives it, so that it is printed without parentheses. */
export function chainOf(terms: readonly Expr[], operator: Chain): Expr {
  if (terms.length === 1) return terms[0]!;
  const left = (terms.length + 1) >> 1;
  return call(operator, chainOf(terms.slice(0, left), operator), chainOf(terms.slice(left), operator));
}
