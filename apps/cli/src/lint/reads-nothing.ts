// Validations and rules that look at nothing: `true`, `1 < 2`. A constant false may be meant to refuse everything, and is said too.

import { type Expr, visit } from "@celadon/cel";
import { kubeEnv } from "@celadon/kube-cel";
import type { Manifest } from "@celadon/simulator";
import { expressionsIn } from "../fmt/expressions.ts";
import { type LintProblem, problem } from "./problem.ts";

const DECIDING: ReadonlySet<string> = new Set(["validation", "rule", "matchCondition"]);

export function readsNothingProblems(manifest: Manifest): LintProblem[] {
  return expressionsIn(manifest.object).flatMap(({ kind, path, text }) => {
    if (!DECIDING.has(kind) || !isConstant(text)) return [];
    const message = "the expression looks at nothing of the request: its answer is always the same";
    return [problem("rule_reads_nothing", manifest, path, message, { offset: 0, length: text.trimEnd().length })];
  });
}

const env = kubeEnv();

function isConstant(text: string): boolean {
  const { ast, issues } = env.parse({ name: "<input>", text });
  if (ast === undefined || issues.length > 0) return false;
  let constant = true;
  visit(ast.expr, {
    enter(expr: Expr) {
      // Of loops and bindings over constants nothing is said.
      if (expr.kind === "ident" || expr.kind === "comprehension") constant = false;
      return undefined;
    },
  });
  return constant;
}
