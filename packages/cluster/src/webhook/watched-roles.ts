// Authorization from the cluster's roles and bindings, watched: no request to the API server is needed. This covers
// RBAC only; if a cluster uses other authorizers too, use access reviews.

import type { Authorizer } from "@celadon/admission";
import { createRbacAuthorizer } from "@celadon/admission/memory";
import { type Api, Reflector } from "@celadon/client";
import type { Attributes, AuthorizerDecision } from "@celadon/kube-cel";

const RESOURCES = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"];

export class WatchedRoles implements Authorizer {
  readonly reflectors: readonly Reflector[];
  /** Made on first use, and kept until a role or binding changes. */
  #authorizer: Authorizer | undefined;

  constructor(api: Api, options: { readonly failed: (what: string, error: unknown) => void }) {
    this.reflectors = RESOURCES.map(
      (resource) =>
        new Reflector(
          api,
          { group: "rbac.authorization.k8s.io", version: "v1", resource },
          {
            changed: () => {
              this.#authorizer = undefined;
            },
            failed: (error) => options.failed(resource, error),
          },
        ),
    );
  }

  /** Throws until everything has been read: the failure policy decides then. */
  authorize(attributes: Attributes): AuthorizerDecision | Promise<AuthorizerDecision> {
    if (!this.reflectors.every(({ isSynced }) => isSynced)) throw new Error("roles are not yet known");
    this.#authorizer ??= createRbacAuthorizer(this.reflectors.flatMap(({ objects }) => [...objects.values()]));
    return this.#authorizer.authorize(attributes);
  }
}
