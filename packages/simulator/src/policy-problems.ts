// What validating policies said, as problems: with the policy, binding and params, and the expression that spoke.

import { type ExpressionPlace, expressionPath, type Failure, type PolicySet, type Report } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import type { FailureLevel, Problem } from "./outcome.ts";
import { statusProblem } from "./problems.ts";

/** What failed as a whole has no expression. */
const EXPRESSIONS: Readonly<Record<Failure["source"], ExpressionPlace["kind"] | undefined>> = {
  validation: "validation",
  matchConditions: "matchCondition",
  auditAnnotation: "auditAnnotation",
  auditAnnotations: undefined,
  budget: undefined,
  configuration: undefined,
};

export function policyProblems(policies: PolicySet, { failures, status }: Report): Problem[] {
  // The request ended because its namespace is not known.
  if (status !== undefined && !failures.some(({ returned }) => returned)) return [statusProblem(status, "policy")];
  return failures.map((failure): Problem => {
    const { policy, binding, params, source, index, message, reason } = failure;
    const kind = EXPRESSIONS[source];
    const path = kind && expressionPath(kind, index);
    const expression = path && valueAt(policies.policy(policy)?.policy, path);
    return {
      system: "policy",
      level: levelOf(failure),
      message,
      reason,
      by: {
        kind: "ValidatingAdmissionPolicy",
        name: policy,
        ...(binding !== undefined && { binding }),
        ...(params !== undefined && { params }),
        ...(path && { path }),
        ...(typeof expression === "string" && { expression }),
        error: failure.kind === "error",
      },
      returned: failure.returned,
    };
  });
}

function levelOf({ enforced, actions }: Failure): FailureLevel {
  if (!enforced) return "ignored";
  if (actions.includes("Deny")) return "deny";
  return actions.includes("Warn") ? "warn" : "audit";
}
