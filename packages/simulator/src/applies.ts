// Whether a policy applied to a request, and if not, what excluded it: rule, selector, condition, binding or params.

import {
  type BindingOutcome,
  closeness,
  hasApplied,
  type PolicyOutcome,
  type Refusal,
  refusalText,
} from "@celadon/admission";

/** Whether a policy applied to a request, and what refused it where not. */
export interface Applied {
  /** At least one binding was evaluated past its match conditions, or failed to be. */
  readonly applied: boolean;
  /** What refused, policy first, then each binding; `binding` where it was one. */
  readonly refusals: readonly Refused[];
}

export interface Refused {
  readonly binding?: string;
  readonly text: string;
  /** How close the request came to a match; see `closeness`. */
  readonly closeness: number;
}

/** A binding is matched after the policy itself. */
export function refusedBy(refusal: Refusal, binding?: string): Refused {
  const text = refusalText(refusal);
  if (binding === undefined) return { text, closeness: closeness(refusal) };
  return { binding, text, closeness: BINDING + closeness(refusal) };
}

const BINDING = 10;

/** Whether a policy applied, from its results for a request. */
export function appliedOf(outcome: PolicyOutcome): Applied {
  return { applied: hasApplied(outcome), refusals: refusalsOf(outcome) };
}

function refusalsOf(outcome: PolicyOutcome): Applied["refusals"] {
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
