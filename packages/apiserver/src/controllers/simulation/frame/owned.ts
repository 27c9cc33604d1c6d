// The objects that a controller manages: matching ones without a controller are adopted, its own that no longer match are released.
// Upstream: kubernetes pkg/controller/controller_ref_manager.go.

import { controllerOf, isDeleted, metaOf, ownerReference } from "./stand-in.ts";
import type { Actor, Kind, Named } from "./world.ts";

export interface OwnerOf {
  readonly apiVersion: string;
  readonly kind: string;
  readonly object: Named;
  readonly matches: (object: object) => boolean;
}

/** The managed ones among the candidates, as they were before this call. */
export async function claim<T extends object>(
  actor: Actor,
  kind: Kind,
  owner: OwnerOf,
  candidates: readonly T[],
): Promise<readonly T[]> {
  const { uid } = metaOf(owner.object);
  const claimed: T[] = [];
  for (const object of candidates) {
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== uid) continue;
    if (controller !== undefined) {
      if (owner.matches(object)) claimed.push(object);
      else if (!isDeleted(owner.object)) await release(actor, kind, object, uid);
    } else if (!isDeleted(owner.object) && !isDeleted(object) && owner.matches(object)) {
      const ownerReferences = [ownerReference(owner.apiVersion, owner.kind, owner.object)];
      if (await actor.patch(kind, object, { metadata: { ownerReferences } })) claimed.push(object);
    }
  }
  return claimed;
}

async function release(actor: Actor, kind: Kind, object: object, uid: string | undefined): Promise<void> {
  await actor.patch(kind, object, { metadata: { ownerReferences: [{ $patch: "delete", uid }] } });
}
