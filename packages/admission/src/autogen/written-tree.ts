// Readings of fields in written trees: the nodes that a rewritten expression is put together from.

import { callNode, childrenOf, type Expr, literalNode, type Select } from "@celadon/cel/ast";

/** The way in which a field is read. A read of the template through a pod's field has the same form. */
export type Form = "select" | "optionalSelect" | "index" | "optionalIndex";

const FUNCTIONS = { optionalSelect: "_?._", index: "_[_]", optionalIndex: "_[?_]" } as const;

export const isOptional = (form: Form): boolean => form === "optionalSelect" || form === "optionalIndex";

export const ident = (name: string): Expr => ({ kind: "ident", id: 0, name });

export const method = (target: Expr, name: string, ...args: Expr[]): Expr => ({
  kind: "call",
  id: 0,
  function: name,
  target,
  args,
});

export const list = (elements: readonly Expr[]): Expr => ({ kind: "list", id: 0, elements, optional: [] });

export function read(form: Form, operand: Expr, field: string): Expr {
  if (form === "select") return { kind: "select", id: 0, operand, field, test: false };
  return callNode(FUNCTIONS[form], operand, literalNode(field));
}

export const has = (operand: Expr, field: string): Select => ({
  kind: "select",
  id: 0,
  operand,
  field,
  test: true,
});

export const readAll = (form: Form, operand: Expr, fields: readonly string[]): Expr =>
  fields.reduce((inner, field) => read(form, inner, field), operand);

/** Finds the field that a node reads, and the way, if its name is known; `test` for `has()`. */
export function readingOf(
  expr: Expr,
): { readonly form: Form; readonly operand: Expr; readonly field: string; readonly test: boolean } | undefined {
  if (expr.kind === "select") return { form: "select", operand: expr.operand, field: expr.field, test: expr.test };
  if (expr.kind !== "call" || expr.target !== undefined) return undefined;
  const [operand, name] = expr.args;
  if (operand === undefined || name?.kind !== "literal" || typeof name.value !== "string") return undefined;
  for (const form of ["optionalSelect", "index", "optionalIndex"] as const) {
    if (expr.function === FUNCTIONS[form]) return { form, operand, field: name.value, test: false };
  }
  return undefined;
}

/** Nodes that will be written. Parts may be shared, and are counted as often as they are written. */
export function writtenSize(root: Expr): number {
  const sizes = new Map<Expr, number>();
  const sizeOf = (expr: Expr): number => {
    let size = sizes.get(expr);
    if (size === undefined) {
      size = childrenOf(expr).reduce((sum, child) => sum + sizeOf(child), 1);
      sizes.set(expr, size);
    }
    return size;
  };
  return sizeOf(root);
}
