// Which mutating policies had anything to do for a request, and what refused the others.

import { refusalText } from "@celadon/admission";
import type { MutatedRequest } from "@celadon/admission/chain";
import type { Applied } from "./applies.ts";

/** By name of the policy, of those that were asked. */
export function mutatingApplied({ passes }: Pick<MutatedRequest, "passes">): ReadonlyMap<string, Applied> {
  const applied = new Map<string, { applied: boolean; refusals: { binding?: string; text: string }[] }>();
  const of = (name: string): { applied: boolean; refusals: { binding?: string; text: string }[] } => {
    let found = applied.get(name);
    if (found === undefined) applied.set(name, (found = { applied: false, refusals: [] }));
    return found;
  };
  for (const { round, policies } of passes) {
    // The second pass asks the same ones again.
    if (round === 1) break;
    for (const one of policies.notInvoked) {
      const found = of(one.policy.name);
      if ("error" in one) found.applied = true;
      else found.refusals.push({ ...(one.binding && { binding: one.binding.name }), text: refusalText(one.refusal) });
    }
    for (const { policy, binding, outcome, refusal } of policies.invocations) {
      const found = of(policy.name);
      if (refusal !== undefined) found.refusals.push({ binding: binding.name, text: refusalText(refusal) });
      else if (outcome === "no object")
        found.refusals.push({ binding: binding.name, text: "the request has no object" });
      else found.applied = true;
    }
  }
  return applied;
}

/** What evaluating cost, by name of the policy, all passes together. */
export function mutatingCosts({ passes }: Pick<MutatedRequest, "passes">): ReadonlyMap<string, number> {
  const costs = new Map<string, number>();
  for (const { policies } of passes) {
    for (const { policy, conditionsCost, mutations } of policies.invocations) {
      const cost = mutations.reduce((sum, one) => sum + one.cost, conditionsCost);
      costs.set(policy.name, (costs.get(policy.name) ?? 0) + cost);
    }
  }
  return costs;
}
