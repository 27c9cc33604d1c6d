// Nodes as they are written, macros as calls: what a rewritten expression is put together from and printed as. They have no
// numbers of their own, because the printed text is parsed and checked anew.

import { childrenOf, type Expr, type Select, unparse } from "@celadon/cel";

/** How a field is read. Whoever reads the template through a pod's field reads it in the same way. */
export type Form = "select" | "optionalSelect" | "index" | "optionalIndex";

const FUNCTIONS = { optionalSelect: "_?._", index: "_[_]", optionalIndex: "_[?_]" } as const;

export const isOptional = (form: Form): boolean => form === "optionalSelect" || form === "optionalIndex";

export const literal = (value: string | boolean | null): Expr => ({ kind: "literal", id: 0, value });

export const ident = (name: string): Expr => ({ kind: "ident", id: 0, name });

export const call = (name: string, ...args: Expr[]): Expr => ({
  kind: "call",
  id: 0,
  function: name,
  target: undefined,
  args,
});

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
  return call(FUNCTIONS[form], operand, literal(field));
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

/** How and which field a node reads, where its name is known; `test` for `has()`. */
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

/** The same node with other children. Macros are calls here, so there are no folds. */
export function withChildren(expr: Expr, change: (child: Expr) => Expr): Expr {
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

export function printTree(expr: Expr): string {
  return unparse({ expr, source: { name: "<input>", text: "" }, spans: new Map(), macroCalls: new Map() });
}
