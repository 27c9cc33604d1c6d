// Expressions of a policy that do not compile. Asked before rewriting, and again of what came out.

import { compilePolicy, type Expression } from "../compile.ts";
import type { ValidatingAdmissionPolicy } from "../policy.ts";
import type { SkipCode } from "./outcome.ts";
import type { Problem } from "./rewrite-spec.ts";

export function compileProblems(policy: ValidatingAdmissionPolicy, code: SkipCode): Problem[] {
  const { conditions, variables, validations, auditAnnotations } = compilePolicy(policy);
  const problems: Problem[] = [];
  const look = (one: Expression | undefined, ...path: (string | number)[]): void => {
    if (one === undefined || one.error === "") return;
    problems.push({ code, message: one.error, path: ["spec", ...path], expression: one.text });
  };
  for (const [i, one] of variables.expressions.entries()) look(one, "variables", i, "expression");
  for (const [i, one] of conditions.entries()) look(one, "matchConditions", i, "expression");
  for (const [i, one] of validations.entries()) {
    look(one, "validations", i, "expression");
    look(one.messageExpression, "validations", i, "messageExpression");
  }
  for (const [i, one] of auditAnnotations.entries()) look(one, "auditAnnotations", i, "valueExpression");
  return problems;
}
