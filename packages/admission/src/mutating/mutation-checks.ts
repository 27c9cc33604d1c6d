// The counts of mutating policies in metrics: every mutation that ran, and match conditions that did not simply match. Upstream: apiserver
// pkg/admission/plugin/policy/mutating/metrics.go.

import type { ConditionCheck } from "../decide/policy-checks.ts";
import type { CompiledMutatingPolicy } from "./compile.ts";
import type { MutatingPolicyReport, MutationResult } from "./verdict.ts";

/** Labels of a mutation that is counted. */
export interface MutationCheck {
  readonly error_type: string;
  readonly policy: string;
  readonly policy_binding: string;
}

/** Every mutation that ran is counted. */
export function mutationChecks({ invocations }: MutatingPolicyReport): readonly MutationCheck[] {
  return invocations.flatMap(({ policy, binding, mutations }) =>
    mutations.map((mutation) => ({
      error_type: errorType(mutation, policy),
      policy: policy.name,
      policy_binding: binding.name,
    })),
  );
}

function errorType({ error, overBudget, index }: MutationResult, policy: CompiledMutatingPolicy): string {
  if (error === undefined) return "no_error";
  if (overBudget) return "out_of_budget";
  return policy.mutations[index]?.program === undefined ? "compile_error" : "invalid_error";
}

/** Match conditions that kept a request out of a mutating policy, or failed. */
export function mutationConditionChecks({ invocations }: MutatingPolicyReport): readonly ConditionCheck[] {
  return invocations.flatMap(({ policy, outcome, refusal }) => {
    const isError = refusal?.by === "matchConditionError" || outcome === "error";
    return isError || refusal?.by === "matchCondition" ? [{ policy: policy.name, isError }] : [];
  });
}
