// Recognises the expansions of the standard macros, so that a plan holds loops instead of general folds. A comprehension of any other
// shape, or one whose parts read the accumulator themselves, stays a fold.

import type { Comprehension, Expr } from "../ast/expr.ts";

export type Shape =
  | { readonly kind: "all" | "exists" | "existsOne"; readonly predicate: Expr }
  | { readonly kind: "collect"; readonly predicate: Expr | undefined; readonly transform: Expr }
  | {
      readonly kind: "collectMap";
      readonly predicate: Expr | undefined;
      readonly key: Expr | undefined;
      readonly transform: Expr;
    }
  | { readonly kind: "bind" }
  | { readonly kind: "fold" };

const FOLD: Shape = { kind: "fold" };

export function shapeOf(fold: Comprehension): Shape {
  if (isBind(fold)) return { kind: "bind" };
  const { accuVar, init, condition, step, result } = fold;
  if (init.kind === "literal") {
    if (init.value === true && isIdent(result, accuVar) && isNotStrictlyFalse(condition, accuVar, false)) {
      const predicate = operandOf(step, "_&&_", accuVar);
      return predicate ? { kind: "all", predicate } : FOLD;
    }
    if (init.value === false && isIdent(result, accuVar) && isNotStrictlyFalse(condition, accuVar, true)) {
      const predicate = operandOf(step, "_||_", accuVar);
      return predicate ? { kind: "exists", predicate } : FOLD;
    }
    return init.value === 0 ? existsOne(fold) : FOLD;
  }
  if (!isLiteral(condition, true) || !isIdent(result, accuVar)) return FOLD;
  const filtered = ternaryParts(step, accuVar);
  const predicate = filtered?.predicate;
  const append = filtered ? filtered.then : step;
  if (predicate && mentions(predicate, accuVar)) return FOLD;
  if (init.kind === "list" && init.elements.length === 0) {
    const list = operandOf(append, "_+_", accuVar);
    if (list?.kind !== "list" || list.elements.length !== 1 || list.optional.length > 0) return FOLD;
    return { kind: "collect", predicate, transform: list.elements[0] as Expr };
  }
  if (init.kind === "map" && init.entries.length === 0) return insertion(append, predicate, accuVar);
  return FOLD;
}

/** `cel.bind` and its kin: an empty range, so that only the accumulator's start and the result matter. */
function isBind({ range, condition, iterVar2 }: Comprehension): boolean {
  return range.kind === "list" && range.elements.length === 0 && isLiteral(condition, false) && iterVar2 === "";
}

function existsOne({ condition, step, result, accuVar }: Comprehension): Shape {
  const parts = ternaryParts(step, accuVar);
  if (!parts || !isLiteral(condition, true) || mentions(parts.predicate, accuVar)) return FOLD;
  const counts = isLiteral(operandOf(parts.then, "_+_", accuVar), 1);
  const item = isLiteral(operandOf(result, "_==_", accuVar), 1);
  return counts && item ? { kind: "existsOne", predicate: parts.predicate } : FOLD;
}

function insertion(append: Expr, predicate: Expr | undefined, accuVar: string): Shape {
  const args = insertArguments(append);
  if (!args || !isIdent(args[0], accuVar)) return FOLD;
  const [, second, third] = args;
  if (!second || mentions(second, accuVar) || (third && mentions(third, accuVar))) return FOLD;
  if (third) return { kind: "collectMap", predicate, key: second, transform: third };
  return { kind: "collectMap", predicate, key: undefined, transform: second };
}

/** `cel.@mapInsert(…)`, with the namespace in the name or as the target. */
function insertArguments(expr: Expr): readonly Expr[] | undefined {
  if (expr.kind !== "call") return undefined;
  if (expr.function === "cel.@mapInsert" && !expr.target) return expr.args;
  return expr.function === "@mapInsert" && expr.target && isIdent(expr.target, "cel") ? expr.args : undefined;
}

/** The right operand of `accu <op> right`, when that does not look at the accumulator. */
function operandOf(expr: Expr, op: string, accuVar: string): Expr | undefined {
  if (expr.kind !== "call" || expr.function !== op || !isIdent(expr.args[0], accuVar)) return undefined;
  const right = expr.args[1];
  return right && !mentions(right, accuVar) ? right : undefined;
}

function ternaryParts(expr: Expr, accuVar: string): { predicate: Expr; then: Expr } | undefined {
  if (expr.kind !== "call" || expr.function !== "_?_:_") return undefined;
  const [predicate, then, otherwise] = expr.args;
  return predicate && then && isIdent(otherwise, accuVar) ? { predicate, then } : undefined;
}

function isNotStrictlyFalse(expr: Expr, accuVar: string, negated: boolean): boolean {
  if (expr.kind !== "call" || expr.function !== "@not_strictly_false") return false;
  const arg = expr.args[0];
  if (!negated) return isIdent(arg, accuVar);
  return arg?.kind === "call" && arg.function === "!_" && isIdent(arg.args[0], accuVar);
}

const isIdent = (expr: Expr | undefined, name: string): boolean => expr?.kind === "ident" && expr.name === name;
const isLiteral = (expr: Expr | undefined, value: unknown): boolean => expr?.kind === "literal" && expr.value === value;

/** Whether `name` occurs free in `expr`. */
function mentions(expr: Expr, name: string): boolean {
  switch (expr.kind) {
    case "literal":
      return false;
    case "ident":
      return expr.name === name;
    case "select":
      return mentions(expr.operand, name);
    case "call":
      return (expr.target !== undefined && mentions(expr.target, name)) || expr.args.some((arg) => mentions(arg, name));
    case "list":
      return expr.elements.some((element) => mentions(element, name));
    case "map":
      return expr.entries.some((entry) => mentions(entry.key, name) || mentions(entry.value, name));
    case "struct":
      return expr.fields.some((field) => mentions(field.value, name));
    case "comprehension": {
      if (mentions(expr.range, name) || mentions(expr.init, name)) return true;
      if (expr.accuVar === name) return false;
      if (mentions(expr.result, name)) return true;
      if (expr.iterVar === name || expr.iterVar2 === name) return false;
      return mentions(expr.condition, name) || mentions(expr.step, name);
    }
  }
}
