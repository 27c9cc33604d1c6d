// The type checker gives every node a type and every name a meaning, and collects the issues it finds.
//
// The tree is not rewritten. Everything that the reference implementation writes back into the tree — full names, variables with dots in
// them, functions with their receiver as part of the name — goes into `references`. Nothing here throws: a node with an issue has type
// `error`, which fits everything, so that one mistake is reported once.

import type { Ast, Expr, Ident, Literal } from "../ast/expr.ts";
import { BOOL, BYTES, DOUBLE, ERROR, INT, NULL, STRING, type Type, UINT } from "../value/type.ts";
import { Double, Uint, type Value } from "../value/value.ts";
import { checkList, checkMap, checkStruct } from "./aggregates.ts";
import { checkCall } from "./calls.ts";
import type { Checked, Declarations } from "./checked.ts";
import { checkComprehension } from "./comprehensions.ts";
import { Context } from "./context.ts";
import { typesTooLarge, undeclaredReference, unexpectedLiteral } from "./issues.ts";
import { lookupFor } from "./lookup.ts";
import { checkSelect } from "./selects.ts";

export interface CheckOptions {
  /** The greatest depth of a tree. Parsed text stays far below; trees from elsewhere may not. */
  readonly maxDepth?: number;
  /** Whether `1 < 2.5` passes: comparisons between int, uint and double. On unless set to false. */
  readonly crossTypeNumericComparisons?: boolean;
}

/** Well below the capacity of the smallest usual stack, and well above the parser's own limit. */
const MAX_DEPTH = 1500;

export function check(ast: Ast, declarations: Declarations, options: CheckOptions = {}): Checked {
  const { maxDepth = MAX_DEPTH, crossTypeNumericComparisons = true } = options;
  const cx = new Context(ast, lookupFor(declarations), maxDepth, crossTypeNumericComparisons, checkNode);
  cx.visit(ast.expr);
  const { types, substitution } = cx;
  for (const id of cx.open) {
    types.set(id, substitution.close(types.get(id) ?? ERROR));
  }
  if (substitution.exhausted) {
    cx.issues.push(typesTooLarge(cx.place(ast.expr.id)));
  }
  return { ast, type: types.get(ast.expr.id) ?? ERROR, types, references: cx.references, issues: cx.issues };
}

function checkNode(cx: Context, expr: Expr): Type {
  switch (expr.kind) {
    case "literal":
      return checkLiteral(cx, expr);
    case "ident":
      return checkIdent(cx, expr);
    case "select":
      return checkSelect(cx, expr);
    case "call":
      return checkCall(cx, expr);
    case "list":
      return checkList(cx, expr);
    case "map":
      return checkMap(cx, expr);
    case "struct":
      return checkStruct(cx, expr);
    case "comprehension":
      return checkComprehension(cx, expr);
  }
}

function checkLiteral(cx: Context, expr: Literal): Type {
  const type = literalType(expr.value);
  if (type === undefined) {
    cx.issues.push(unexpectedLiteral(cx.place(expr.id), typeof expr.value));
    return cx.setType(expr.id, ERROR);
  }
  return cx.setType(expr.id, type);
}

/** The type of a constant, or undefined if no literal has it. */
function literalType(value: Value): Type | undefined {
  switch (typeof value) {
    case "string":
      return STRING;
    case "number":
      return Number.isSafeInteger(value) ? INT : DOUBLE;
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "object":
      return value === null
        ? NULL
        : value instanceof Double
          ? DOUBLE
          : value instanceof Uint
            ? UINT
            : value instanceof Uint8Array
              ? BYTES
              : undefined;
    default:
      return undefined;
  }
}

function checkIdent(cx: Context, expr: Ident): Type {
  const entry = cx.findIdent(expr.name);
  if (entry === undefined) {
    cx.issues.push(undeclaredReference(cx.place(expr.id), expr.name, cx.container));
    return cx.setType(expr.id, ERROR);
  }
  cx.setReference(expr.id, entry.reference);
  return cx.setType(expr.id, entry.type);
}
