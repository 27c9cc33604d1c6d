// The sources of policies and webhooks: a cache, or one whose changes arrive later, as they do in kube-apiserver, which reads them through
// informers and compiles them once a second.

import { nameOf } from "@celadon/kube";
import type { ResourceCache } from "../store/cache.ts";
import { isStaticName } from "./static-manifests.ts";

export type Followed = Pick<ResourceCache, "all" | "subscribe">;

/** Resources added to a set of policies or webhooks, and removed from it. */
interface FollowedChange {
  readonly put?: readonly never[];
  readonly remove?: readonly { readonly kind: never; readonly name: string }[];
}

/** Reports the contents of the caches, and from then on every change. */
export function followAll(caches: readonly Followed[], report: (change: FollowedChange) => void): void {
  for (const cache of caches) {
    report({ put: cache.all().map(({ object }) => object as never) });
    cache.subscribe(({ type, object: { object } }) => {
      const removed = { kind: object.kind as never, name: nameOf(object) };
      report(type === "DELETED" ? { remove: [removed] } : { put: [object as never] });
    });
  }
}

/** Without the names that belong to policies and webhooks from files. */
export function withoutStatic(followed: Followed): Followed {
  return {
    all: () => followed.all().filter(({ name }) => !isStaticName(name)),
    subscribe: (listener, closed) =>
      followed.subscribe((event) => isStaticName(event.object.name) || listener(event), closed),
  };
}

export function delayed(cache: ResourceCache, milliseconds: number): Followed {
  if (milliseconds <= 0) return cache;
  return {
    all: () => cache.all(),
    // Timers of the same length end in the order in which they began.
    subscribe: (listener, closed) =>
      cache.subscribe((event) => setTimeout(() => listener(event), milliseconds).unref(), closed),
  };
}
