// Whether a policy had anything to say about a request, and if not, what refused it: rule, selector, condition, binding or params.

import { type BindingOutcome, type PolicyOutcome, refusalText } from "@celadon/admission";

export interface Applied {
  /** At least one binding was evaluated past its match conditions, or failed to be. */
  readonly applied: boolean;
  /** What refused, policy first, then each binding; `binding` where it was one. */
  readonly refusals: readonly { readonly binding?: string; readonly text: string }[];
}

export function appliedOf(outcome: PolicyOutcome): Applied {
  if (outcome.outcome === "error") return { applied: true, refusals: [] };
  if (outcome.outcome === "refused") return { applied: false, refusals: [{ text: refusalText(outcome.refusal) }] };
  if (outcome.bindings.length === 0) return { applied: false, refusals: [{ text: refusalText({ by: "noBinding" }) }] };
  return {
    applied: outcome.bindings.some((one) => one.outcome === "error" || evaluated(one)),
    refusals: outcome.bindings.flatMap((one) =>
      bindingRefusals(one).map((text) => ({ binding: one.binding.name, text })),
    ),
  };
}

function evaluated(one: BindingOutcome): boolean {
  return one.outcome === "evaluated" && one.evaluations.some(({ refusal }) => refusal === undefined);
}

function bindingRefusals(one: BindingOutcome): string[] {
  if (one.outcome === "refused") return [refusalText(one.refusal)];
  if (one.outcome === "error") return [];
  return [...new Set(one.evaluations.flatMap(({ refusal }) => (refusal ? [refusalText(refusal)] : [])))];
}
