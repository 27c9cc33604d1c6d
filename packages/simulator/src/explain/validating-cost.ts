// Costs of validating policies.

import type { PolicyOutcome } from "@celadon/admission";

/** The cost of a policy for one request: all bindings and params together. */
export function validatingCost(outcome: PolicyOutcome): number {
  if (outcome.outcome !== "matched") return 0;
  let cost = 0;
  for (const binding of outcome.bindings) {
    if (binding.outcome !== "evaluated") continue;
    for (const { costs } of binding.evaluations)
      cost += costs.matchConditions + costs.validations + costs.auditAnnotations;
  }
  return cost;
}
