// Kinds that are answered and not stored: reviews, bindings, evictions, tokens, scales.

import type { GroupKind } from "@celadon/kube";
import { type ActionTarget, loadActionRules } from "@celadon/kube/validation";
import { type Draft, objectOf } from "./draft.ts";
import { StatusError } from "./status-error.ts";

/** Throws a StatusError if the rules of the kind refuse the action. */
export async function refuseAction(kind: GroupKind, draft: Draft, target: ActionTarget): Promise<void> {
  const rules = await loadActionRules(kind);
  const refusal = rules?.refuse(objectOf(draft), target);
  if (refusal !== undefined) throw new StatusError(refusal);
}
