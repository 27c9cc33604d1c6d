// Whether a policy applied to a request, and if not, what excluded it: rule, selector, condition, binding or params.

import { type BindingOutcome, hasApplied, type PolicyOutcome, type Refusal, refusalText } from "@celadon/admission";

/** Whether a policy applied to a request, and what refused it where not. */
export interface Applicability {
  /** At least one binding was evaluated past its match conditions, or failed to be. */
  readonly applied: boolean;
  /** The reasons that excluded it, the policy's first, then each binding's; `binding` where it was one. */
  readonly refusals: readonly NotApplied[];
}

export interface NotApplied {
  readonly binding?: string;
  readonly text: string;
  /** Absent where the request is not one that the policy could match. */
  readonly refusal?: Refusal;
}

export function refusedBy(refusal: Refusal, binding?: string): NotApplied {
  return { ...(binding !== undefined && { binding }), text: refusalText(refusal), refusal };
}

/** Whether a policy applied, from its results for a request. */
export function appliedOf(outcome: PolicyOutcome): Applicability {
  return { applied: hasApplied(outcome), refusals: refusalsOf(outcome) };
}

function refusalsOf(outcome: PolicyOutcome): Applicability["refusals"] {
  if (outcome.outcome === "error") return [];
  if (outcome.outcome === "refused") return [refusedBy(outcome.refusal)];
  if (outcome.bindings.length === 0) return [refusedBy({ by: "noBinding" })];
  return outcome.bindings.flatMap((binding) =>
    bindingRefusals(binding).map((refusal) => refusedBy(refusal, binding.binding.name)),
  );
}

function bindingRefusals(outcome: BindingOutcome): readonly Refusal[] {
  if (outcome.outcome === "refused") return [outcome.refusal];
  if (outcome.outcome === "error") return [];
  const refusals = outcome.evaluations.flatMap(({ refusal }) => refusal ?? []);
  return [...new Map(refusals.map((refusal) => [refusalText(refusal), refusal])).values()];
}
