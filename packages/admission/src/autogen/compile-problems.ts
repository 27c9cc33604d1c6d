// Expressions of a policy that do not compile. Checked before rewriting, and again for the result.

import { compilePolicy, type Expression } from "../compile/compile.ts";
import { compileMutatingPolicy } from "../mutating/compile.ts";
import type { Policy } from "../policy.ts";
import type { SkipCode } from "./outcome.ts";
import type { SkipReason } from "./rewrite-spec.ts";

export function compileProblems(policy: Policy, code: SkipCode): SkipReason[] {
  const compiled = policy.kind === "MutatingAdmissionPolicy" ? compileMutatingPolicy(policy) : compilePolicy(policy);
  const { conditions, variables } = compiled;
  const problems: SkipReason[] = [];
  const look = (expression: Expression | undefined, ...path: (string | number)[]): void => {
    if (expression === undefined || expression.error === "") return;
    problems.push({ code, message: expression.error, path: ["spec", ...path], expression: expression.text });
  };
  for (const [i, expression] of variables.expressions.entries()) look(expression, "variables", i, "expression");
  for (const [i, condition] of conditions.entries()) look(condition, "matchConditions", i, "expression");
  if ("mutations" in compiled) {
    for (const [i, mutation] of compiled.mutations.entries()) {
      look(
        mutation,
        "mutations",
        i,
        mutation.patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration",
        "expression",
      );
    }
    return problems;
  }
  for (const [i, validation] of compiled.validations.entries()) {
    look(validation, "validations", i, "expression");
    look(validation.messageExpression, "validations", i, "messageExpression");
  }
  for (const [i, auditAnnotation] of compiled.auditAnnotations.entries())
    look(auditAnnotation, "auditAnnotations", i, "valueExpression");
  return problems;
}
