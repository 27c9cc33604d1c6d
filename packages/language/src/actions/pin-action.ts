// An object that policies match, as the sample whose values hovers in those policies show.

import { nameOf } from "@celadon/kube";
import { identityOf } from "@celadon/simulator";
import type { ObjectVerdict } from "../verdicts/review-all.ts";
import type { Action } from "./action.ts";

/** None for an object that no policy applies to, or for the present sample. */
export function pinActions(
  { manifest: { object }, truths, mutations }: ObjectVerdict,
  pinned: string | undefined,
): Action[] {
  const identity = identityOf(object);
  if ((truths.isEmpty && mutations.size === 0) || identity === pinned) return [];
  const title = `Show values for ${String(object.kind)} ${nameOf(object)} in policies`;
  return [{ title, kind: "refactor.rewrite", edits: new Map(), pin: identity }];
}
