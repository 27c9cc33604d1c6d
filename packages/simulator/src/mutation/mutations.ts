// The changes of an object by mutating policies and webhooks, one after the other.

import { type MutationStep, mutationSteps } from "@celadon/admission/chain";
import { changesBetween, type ObjectChange } from "@celadon/merge";
import type { Outcome } from "../outcome/outcome.ts";

/** One mutation that ran. */
export interface ReviewedMutation {
  readonly by: MutationStep["by"];
  readonly round: 0 | 1;
  readonly outcome: MutationStep["outcome"];
  readonly changes: readonly ObjectChange[];
  readonly error?: string;
}

const NONE: readonly never[] = [];

/** All mutations of a request, in the order they ran. */
export function mutationsOf({ mutated }: Outcome): readonly ReviewedMutation[] {
  if (mutated.passes.length === 0) return NONE;
  return mutationSteps(mutated).map(({ by, round, outcome, before, after, error }) => ({
    by,
    round,
    outcome,
    changes: outcome === "changed" ? changesBetween(before, after) : NONE,
    ...(error !== undefined && { error }),
  }));
}

/** `mutating policy labels, binding labels, mutations[0]` */
export function mutatorText({ by, round }: Pick<ReviewedMutation, "by" | "round">): string {
  const again = round === 1 ? " (reinvoked)" : "";
  if (by.kind === "MutatingWebhookConfiguration") return `webhook ${by.webhook} of ${by.name}${again}`;
  const params = by.params === undefined ? "" : `, params ${by.params}`;
  return `mutating policy ${by.name}, binding ${by.binding}${params}, mutations[${by.index}]${again}`;
}
