// The failures of mutating policies as problems: with the policy, binding and params, and the expression behind it. No failure of theirs is
// a denial: something could not be evaluated, or not be applied.

import { expressionPath } from "@celadon/admission/explain";
import type { MutatingFailure, MutatingPolicyReport, MutatingPolicySet } from "@celadon/admission/mutating";
import { type JsonPath, valueAt } from "@celadon/base";
import type { Problem } from "./outcome.ts";
import type { KindsKnown } from "./param-kind-help.ts";
import { bindingPath, paramsHelp } from "./params-help.ts";
import { statusProblem } from "./problems.ts";

/** Policies, and the cluster they are in force in. */
export interface MutatingPoliciesIn extends KindsKnown {
  readonly policies: MutatingPolicySet;
}

export function mutatingPolicyProblems(
  cluster: MutatingPoliciesIn,
  { failures, status }: MutatingPolicyReport,
): Problem[] {
  // The request ended with an error that no failure policy has a say in.
  if (status !== undefined && failures.length === 0) return [statusProblem(status, "mutation")];
  return failures.map((failure): Problem => {
    const { policy: name, binding, params, message, enforced, returned } = failure;
    const compiled = cluster.policies.policy(name);
    const policy = compiled?.policy;
    const path = failingExpression(failure, policy?.spec.mutations?.[failure.index]?.patchType === "JSONPatch");
    const expression = path && valueAt(policy, path);
    const help = paramsHelp(cluster, failure, compiled, path);
    return {
      system: "mutation",
      level: enforced ? "deny" : "ignored",
      message,
      by: {
        kind: "MutatingAdmissionPolicy",
        name,
        ...(binding !== undefined && { binding }),
        ...(params !== undefined && { params }),
        ...(path && { path }),
        ...bindingPath(failure),
        ...(typeof expression === "string" && { expression }),
        error: true,
      },
      returned,
      ...(help !== undefined && { help }),
    };
  });
}

/** A failure of the policy as a whole has no expression. */
function failingExpression({ source, index }: MutatingFailure, isOperations: boolean): JsonPath | undefined {
  switch (source) {
    case "configuration":
      return undefined;
    case "matchConditions":
      return expressionPath("matchCondition", index);
    case "mutation":
      return expressionPath(isOperations ? "jsonPatch" : "applyConfiguration", index);
  }
}
