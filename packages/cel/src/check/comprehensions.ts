// Comprehensions, which macros become: a range, an accumulator, and up to two variables that take the range's elements.

import type { Comprehension, Expr } from "../ast/expr.ts";
import { BOOL, DYN, ERROR, INT, type Type, UNTYPED } from "../value/type.ts";
import type { Context } from "./context.ts";
import { notARange, typeMismatch } from "./issues.ts";

export function checkComprehension(cx: Context, expr: Comprehension): Type {
  const { scopes, substitution } = cx;
  const range = cx.visit(expr.range);
  const accuType = cx.visit(expr.init);
  cx.mixedComparisons = true; // the reference drops its restriction with the first scope it opens, and for good
  const outer = scopes.enter();
  scopes.declare(expr.accuVar, accuType);
  const loop = scopes.enter();
  declareVariables(cx, expr, substitution.apply(range));
  expect(cx, expr.condition, BOOL);
  expect(cx, expr.step, accuType);
  scopes.leave(loop);
  const result = cx.visit(expr.result);
  scopes.leave(outer);
  return cx.setType(expr.id, substitution.apply(result));
}

function declareVariables(cx: Context, expr: Comprehension, range: Type): void {
  const two = expr.iterVar2 !== "";
  let first: Type;
  let second: Type;
  const typed = cx.lookup.typesOfSecondVariables;
  switch (range.kind) {
    case "list":
      second = range.params[0] ?? DYN;
      first = two ? INT : second;
      break;
    case "map":
      first = range.params[0] ?? DYN;
      second = range.params[1] ?? DYN;
      break;
    case "dyn":
    case "error":
    case "param":
      cx.substitution.assign(DYN, range); // or a later use could make it something that has no elements
      first = DYN;
      second = typed ? DYN : UNTYPED;
      break;
    default:
      cx.issues.push(notARange(cx.place(expr.range.id), range));
      first = ERROR;
      second = typed ? ERROR : UNTYPED;
  }
  if (two) {
    cx.scopes.declare(expr.iterVar2, second);
  }
  cx.scopes.declare(expr.iterVar, first); // declared last, found first: of two equal names the first variable counts
}

function expect(cx: Context, expr: Expr, wanted: Type): void {
  const type = cx.visit(expr);
  if (!cx.substitution.assign(wanted, type)) {
    cx.issues.push(typeMismatch(cx.place(expr.id), wanted, type));
  }
}
