// Validations and rules that look at nothing: `true`, `1 < 2`. A constant false may be meant to refuse everything, and is said too.

import { type Env, type Expr, visit } from "@celadon/cel";
import { expressionsIn, type Manifest } from "@celadon/simulator";
import { type LintProblem, problem } from "./problem.ts";
import type { Vocabulary } from "./vocabulary.ts";

const DECIDING: ReadonlySet<string> = new Set(["validation", "rule", "matchCondition"]);

export function readsNothingProblems(manifest: Manifest, { env }: Vocabulary): LintProblem[] {
  return expressionsIn(manifest.object).flatMap(({ kind, path, text }) => {
    if (!DECIDING.has(kind) || !isConstant(text, env)) return [];
    const message = "the expression looks at nothing of the request: its answer is always the same";
    return [problem("rule_reads_nothing", manifest, path, message, { offset: 0, length: text.trimEnd().length })];
  });
}

function isConstant(text: string, env: Env): boolean {
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
