// Expressions brought to one form, so that mutants that cannot differ are seen to be the same: constants in chains and conditions are
// taken out, double negations and negated comparisons resolved. Only what holds for every input, failing ones included.

import { callNode as call, type Expr, literalNode as literal, withChildren } from "@celadon/cel/ast";
import { type Chain, chainOf, isCall, termsOf } from "./written.ts";

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["_==_", "_!=_"],
  ["_!=_", "_==_"],
]);

export function fold(expr: Expr): Expr {
  for (const operator of ["_&&_", "_||_"] as const) {
    if (isCall(expr, operator)) return foldChain(termsOf(expr, operator).map(fold), operator);
  }
  const folded = withChildren(expr, fold);
  if (folded.kind !== "call") return folded;
  const [first, second, third] = folded.args;
  if (isCall(folded, "!_")) {
    if (isBoolean(first)) return literal(!first.value);
    if (first !== undefined && isCall(first, "!_")) return first.args[0]!;
    const opposite = first?.kind === "call" ? OPPOSITES.get(first.function) : undefined;
    if (opposite !== undefined && first?.kind === "call") return call(opposite, ...first.args);
  }
  if (isCall(folded, "_?_:_")) {
    if (isBoolean(first)) return first.value ? second! : third!;
    if (first !== undefined && isCall(first, "!_")) return call("_?_:_", first.args[0]!, third!, second!);
  }
  return folded;
}

function foldChain(terms: readonly Expr[], operator: Chain): Expr {
  const neutral = operator === "_&&_";
  // `false && x` is false and `true || x` is true, even where x fails.
  if (terms.some((term) => isBoolean(term) && term.value !== neutral)) return literal(!neutral);
  const rest = terms.filter((term) => !isBoolean(term));
  return rest.length === 0 ? literal(neutral) : chainOf(rest, operator);
}

function isBoolean(expr: Expr | undefined): expr is Expr & { readonly kind: "literal"; readonly value: boolean } {
  return expr?.kind === "literal" && typeof expr.value === "boolean";
}
