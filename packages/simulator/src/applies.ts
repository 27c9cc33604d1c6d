// Whether a policy had anything to say about a request, and if not, what refused it: rule, selector, condition, binding or params.

import { type BindingOutcome, type PolicyOutcome, refusalText } from "@celadon/admission";

export interface Applied {
  /** At least one binding was evaluated past its match conditions, or failed to be. */
  readonly applied: boolean;
  /** What refused, policy first, then each binding; `binding` where it was one. */
  readonly refusals: readonly { readonly binding?: string; readonly text: string }[];
}

export function appliedOf(outcome: PolicyOutcome): Applied {
  return { applied: hasApplied(outcome), refusals: refusalsOf(outcome) };
}

/** The first half alone: it is asked of every policy for every request. */
export function hasApplied(outcome: PolicyOutcome): boolean {
  if (outcome.outcome !== "matched") return outcome.outcome === "error";
  for (const one of outcome.bindings) if (one.outcome === "error" || evaluated(one)) return true;
  return false;
}

function refusalsOf(outcome: PolicyOutcome): Applied["refusals"] {
  if (outcome.outcome === "error") return [];
  if (outcome.outcome === "refused") return [{ text: refusalText(outcome.refusal) }];
  if (outcome.bindings.length === 0) return [{ text: refusalText({ by: "noBinding" }) }];
  return outcome.bindings.flatMap((one) => bindingRefusals(one).map((text) => ({ binding: one.binding.name, text })));
}

function evaluated(one: BindingOutcome): boolean {
  if (one.outcome !== "evaluated") return false;
  for (const { refusal } of one.evaluations) if (refusal === undefined) return true;
  return false;
}

function bindingRefusals(one: BindingOutcome): string[] {
  if (one.outcome === "refused") return [refusalText(one.refusal)];
  if (one.outcome === "error") return [];
  return [...new Set(one.evaluations.flatMap(({ refusal }) => (refusal ? [refusalText(refusal)] : [])))];
}
