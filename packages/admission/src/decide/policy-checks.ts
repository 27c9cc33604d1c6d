// The counts of validating policies in metrics: failures by action and error type, and match conditions that did not simply match.
// Upstream: apiserver pkg/admission/plugin/policy/validating/metrics.go, pkg/admission/plugin/webhook/matchconditions/matcher.go.

import type { CompiledPolicy } from "../compile/compile.ts";
import type { Failure } from "./decide.ts";
import type { AdmissionReport } from "./report.ts";

/** Labels of a check that is counted. */
export interface PolicyCheck {
  readonly enforcement_action: string;
  readonly error_type: string;
  readonly policy: string;
  readonly policy_binding: string;
}

/** Match conditions of a policy that kept a request out, or failed. */
export interface ConditionCheck {
  readonly policy: string;
  readonly isError: boolean;
}

/** Only failures are counted, once for each action; errors of configuration are not. */
export function policyChecks({ failures, verdicts }: AdmissionReport): readonly PolicyCheck[] {
  if (failures.length === 0) return [];
  const policies = new Map(verdicts.policies.map(({ policy }) => [policy.name, policy]));
  return failures.flatMap((failure) => {
    if (failure.source === "configuration") return [];
    const { policy, binding: policy_binding = "", enforced, actions } = failure;
    const error_type = errorType(failure, policies.get(policy));
    const taken = enforced ? actions.map((action) => action.toLowerCase()) : ["allow"];
    return taken.map((enforcement_action) => ({ enforcement_action, error_type, policy, policy_binding }));
  });
}

/** Upstream has no other word for a plain false. */
function errorType({ source, index }: Failure, policy: CompiledPolicy | undefined): string {
  if (source === "budget") return "out_of_budget";
  const compiles = source !== "validation" || policy?.validations[index]?.program !== undefined;
  return compiles ? "invalid_error" : "compile_error";
}

/** Match conditions that kept a request out of a policy, or failed. Conditions that are all true are not counted. */
export function conditionChecks({ verdicts }: AdmissionReport): readonly ConditionCheck[] {
  return verdicts.policies.flatMap((verdict) => {
    if (verdict.outcome !== "matched" || verdict.policy.conditions.length === 0) return [];
    const evaluations = verdict.bindings.flatMap((bound) => (bound.outcome === "evaluated" ? bound.evaluations : []));
    return evaluations.flatMap(({ refusal, decisions }) => {
      const isError = refusal?.by === "matchConditionError" || decisions[0]?.source === "matchConditions";
      return isError || refusal?.by === "matchCondition" ? [{ policy: verdict.policy.name, isError }] : [];
    });
  });
}
