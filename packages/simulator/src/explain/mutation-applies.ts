// Finds the mutating policies that applied to a request, and the reasons that excluded the others.

import type { MutatedRequest } from "@celadon/admission/chain";
import { type Applicability, type NotApplied, refusedBy } from "./applies.ts";

/** Whether each evaluated policy applied, by name. */
export function mutatingApplied({ passes }: Pick<MutatedRequest, "passes">): ReadonlyMap<string, Applicability> {
  const applied = new Map<string, { applied: boolean; refusals: NotApplied[] }>();
  const of = (name: string): { applied: boolean; refusals: NotApplied[] } => {
    let found = applied.get(name);
    if (found === undefined) applied.set(name, (found = { applied: false, refusals: [] }));
    return found;
  };
  for (const { round, policies } of passes) {
    // The second pass evaluates the same ones again.
    if (round === 1) break;
    for (const invoked of policies.notInvoked) {
      const found = of(invoked.policy.name);
      if ("error" in invoked) found.applied = true;
      else found.refusals.push(refusedBy(invoked.refusal, invoked.binding?.name));
    }
    for (const { policy, binding, outcome, refusal } of policies.invocations) {
      const found = of(policy.name);
      if (refusal !== undefined) found.refusals.push(refusedBy(refusal, binding.name));
      else if (outcome === "no object")
        found.refusals.push({ binding: binding.name, text: "the request has no object" });
      else found.applied = true;
    }
  }
  return applied;
}

/** The cost of evaluation by name of the policy, all passes together. */
export function mutatingCosts({ passes }: Pick<MutatedRequest, "passes">): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { policies } of passes) {
    for (const { policy, conditionsCost, mutations } of policies.invocations) {
      const cost = mutations.reduce((sum, mutation) => sum + mutation.cost, conditionsCost);
      costs.set(policy.name, (costs.get(policy.name) ?? 0) + cost);
    }
  }
  return costs;
}
