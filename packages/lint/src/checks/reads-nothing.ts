// Validations and rules whose result is always the same: `true`, `1 < 2`, `object.a || true`. A constant false may be meant to deny
// everything, and is reported too.

import { type Expr, visit } from "@celadon/cel/ast";
import { expressionsIn, type Manifest } from "@celadon/simulator/manifests";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";

const DECIDING: ReadonlySet<string> = new Set(["validation", "rule", "matchCondition"]);

export function readsNothingProblems(manifest: Manifest, { env }: Vocabulary): LintProblem[] {
  return expressionsIn(manifest.object).flatMap(({ kind, path, text }) => {
    const { ast, issues } = env.parse({ name: "<input>", text });
    if (!DECIDING.has(kind) || ast === undefined || issues.length > 0) return [];
    const settled = settledBy(ast.expr);
    if (settled === undefined && !isConstant(ast.expr)) return [];
    const message =
      settled === undefined
        ? "the expression reads nothing of the request, so its result is always the same"
        : `the expression is always ${settled}: one side of ${settled ? "||" : "&&"} is the constant ${settled}`;
    const isFalse = settled === false || (ast.expr.kind === "literal" && ast.expr.value === false);
    const effect = kind === "matchCondition" && isFalse ? "; with this match condition the policy never matches" : "";
    return [
      problem("rule_reads_nothing", manifest, path, `${message}${effect}`, {
        offset: 0,
        length: text.trimEnd().length,
      }),
    ];
  });
}

/** The value of the whole that a constant operand forces: `… || true`, `… && false`. */
function settledBy(expr: Expr): boolean | undefined {
  if (expr.kind !== "call" || (expr.function !== "_||_" && expr.function !== "_&&_")) return undefined;
  const settling = expr.function === "_||_";
  const isSettled = expr.args.some(
    (arg) => (arg.kind === "literal" && arg.value === settling) || settledBy(arg) === settling,
  );
  return isSettled ? settling : undefined;
}

function isConstant(root: Expr): boolean {
  let constant = true;
  visit(root, {
    enter(expr: Expr) {
      // Loops and bindings over constants are not checked.
      if (expr.kind === "ident" || expr.kind === "comprehension") constant = false;
      return undefined;
    },
  });
  return constant;
}
