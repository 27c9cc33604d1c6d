// The results that the stages pass on: for every evaluated policy, by binding and params.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import type { CompiledBinding, CompiledPolicy } from "../compile/compile.ts";
import type { Evaluation } from "../evaluate/evaluate.ts";
import type { Refusal } from "../match/refusal.ts";
import type { MissingParams } from "./bind.ts";

/** A binding that the request did not get past. */
export type BindingOutcome =
  | { readonly binding: CompiledBinding; readonly outcome: "refused"; readonly refusal: Refusal }
  | {
      readonly binding: CompiledBinding;
      readonly outcome: "error";
      readonly message: string;
      readonly missing?: MissingParams;
    }
  | {
      readonly binding: CompiledBinding;
      readonly outcome: "evaluated";
      readonly params: readonly (KubeObject | null)[];
      /** One per param. */
      readonly evaluations: readonly Evaluation[];
    };

/** The result of one policy: it did not apply, it failed as a whole, or each binding has a result. */
export type PolicyOutcome =
  | { readonly policy: CompiledPolicy; readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly policy: CompiledPolicy; readonly outcome: "error"; readonly message: string }
  | {
      readonly policy: CompiledPolicy;
      readonly outcome: "matched";
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly bindings: readonly BindingOutcome[];
    };

/** The results of all policies for a request. */
export interface Verdicts {
  readonly policies: readonly PolicyOutcome[];
  /** Set when the request ends before policies could decide: its namespace is not known. */
  readonly aborted?: Status;
}

/** Whether at least one binding was evaluated past its match conditions, or failed to be. */
export function hasApplied(outcome: PolicyOutcome): boolean {
  if (outcome.outcome !== "matched") return outcome.outcome === "error";
  for (const binding of outcome.bindings) if (binding.outcome === "error" || isEvaluated(binding)) return true;
  return false;
}

function isEvaluated(outcome: BindingOutcome): boolean {
  if (outcome.outcome !== "evaluated") return false;
  for (const { refusal } of outcome.evaluations) if (refusal === undefined) return true;
  return false;
}

/** Whether a policy has nothing to say: no failure, no audit annotation. */
export function isSilent(outcome: PolicyOutcome): boolean {
  if (outcome.outcome !== "matched") return outcome.outcome === "refused";
  for (const binding of outcome.bindings) {
    if (binding.outcome === "error") return false;
    if (binding.outcome !== "evaluated") continue;
    for (const { decisions, auditAnnotations } of binding.evaluations) {
      if (auditAnnotations.length > 0) return false;
      for (const { evaluation } of decisions) if (evaluation !== "admit") return false;
    }
  }
  return true;
}
