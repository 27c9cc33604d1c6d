// Questions and orders that are answered and not stored, by the rules of their kind.

import type { GroupKind } from "@celadon/kube";
import { type ActionTarget, loadActionRules } from "@celadon/kube/validation";
import { type Draft, objectOf } from "../kinds/draft.ts";
import { StatusError } from "../wire/status-error.ts";

/** Ends the request if the rules of the kind refuse what was sent. */
export async function refuseAction(kind: GroupKind, draft: Draft, target: ActionTarget): Promise<void> {
  const rules = await loadActionRules(kind);
  const refusal = rules?.refuse(objectOf(draft), target);
  if (refusal !== undefined) throw new StatusError(refusal);
}
