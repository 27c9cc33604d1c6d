// Authorizes by stored objects: nodes by the needs of their pods, everybody by roles and bindings.

import type { Authorizer } from "@celadon/admission";
import { keyOf } from "../kinds/resource.ts";
import type { NamedCaches } from "../store/named-caches.ts";
import { firstToAllow } from "./access.ts";
import { NodeAuthorizer } from "./node-authorizer.ts";
import { nodeOf } from "./node-identity.ts";
import { NodePods } from "./node-pods.ts";
import { StoredRbac } from "./rbac.ts";

/** Roles and bindings. */
export const RBAC_RESOURCES: readonly string[] = [
  "clusterroles.rbac.authorization.k8s.io",
  "clusterrolebindings.rbac.authorization.k8s.io",
  "roles.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
];

export function storedRbac(caches: NamedCaches): StoredRbac {
  return new StoredRbac(RBAC_RESOURCES.map((resource) => caches.of(resource)));
}

/** Nodes have the rights that their pods need; other rights are up to roles. */
export function withNodes(rbac: StoredRbac, caches: NamedCaches): Authorizer {
  const pods = new NodePods(caches.of("pods"));
  const nodes = new NodeAuthorizer({
    podsOn: (node) => pods.on(node),
    async find(resource, name) {
      const cache = caches.of(resource);
      await cache.ready();
      return cache.get(keyOf(cache.storage, "", name))?.object;
    },
    async list(resource) {
      const cache = caches.of(resource);
      await cache.ready();
      return cache.all().map(({ object }) => object);
    },
  });
  return {
    authorize(attributes) {
      if (nodeOf(attributes.user.name, attributes.user.groups) === undefined) return rbac.authorize(attributes);
      return firstToAllow([nodes, rbac], attributes);
    },
  };
}
