// RBAC from the roles and bindings in the store. Rules are read again when one of them has changed; a change is in force for the next request.

import type { Authorizer } from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import type { Attributes, Decision } from "@celadon/kube-cel";
import type { ResourceCache } from "../store/cache.ts";

export class RbacAuthorizer implements Authorizer {
  readonly #caches: readonly ResourceCache[];
  #current: Authorizer | undefined;
  #changedAt: readonly number[] = [];

  /** Of ClusterRoles, Roles and their bindings. */
  constructor(caches: readonly ResourceCache[]) {
    this.#caches = caches;
  }

  async ready(): Promise<void> {
    await Promise.all(this.#caches.map((cache) => cache.ready()));
  }

  authorize(attributes: Attributes): Decision | Promise<Decision> {
    const { current } = this;
    return current.authorize(attributes);
  }

  get current(): Authorizer {
    const changedAt = this.#caches.map((cache) => cache.changedAt);
    if (this.#current === undefined || changedAt.some((revision, i) => revision !== this.#changedAt[i])) {
      this.#changedAt = changedAt;
      this.#current = createRbacAuthorizer(this.#caches.flatMap((cache) => cache.all().map(({ object }) => object)));
    }
    return this.#current;
  }
}
