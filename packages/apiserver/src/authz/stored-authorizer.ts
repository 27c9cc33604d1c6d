// Authorizes by stored objects: nodes by the needs of their pods, everybody by roles and bindings.

import type { Authorizer } from "@celadon/admission";
import type { Minor } from "@celadon/kube/versions";
import type { Attributes } from "@celadon/kube-cel";
import { keyOf } from "../kinds/resource.ts";
import type { NamedCaches } from "../store/named-caches.ts";
import { ALWAYS_ALLOW, firstToAllow } from "./access.ts";
import type { ConfiguredChain, OwnAuthorizers } from "./configured-chain.ts";
import { NodeAuthorizer, type NodeHosts } from "./node-authorizer.ts";
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

/** Nodes have the rights that their pods need; it has no opinion on others. */
function nodesOf(caches: NamedCaches, minor: Minor | undefined): NodeAuthorizer {
  const pods = new NodePods(caches.of("pods"));
  const hosts: NodeHosts = {
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
  };
  return new NodeAuthorizer(hosts, minor);
}

/** The authorizers of a configuration. */
function ownAuthorizers(rbac: StoredRbac, caches: NamedCaches, minor: Minor | undefined): OwnAuthorizers {
  const nodes = nodesOf(caches, minor);
  const isNode = ({ user }: Attributes): boolean => nodeOf(user.name, user.groups) !== undefined;
  const Node: Authorizer = {
    authorize: (attributes) => (isNode(attributes) ? nodes.authorize(attributes) : { decision: "noOpinion" }),
  };
  return { Node, RBAC: rbac };
}

/** Nodes have the rights that their pods need; other rights are up to roles. */
function withNodes(rbac: StoredRbac, caches: NamedCaches, minor: Minor | undefined): Authorizer {
  const nodes = nodesOf(caches, minor);
  return {
    authorize(attributes) {
      if (nodeOf(attributes.user.name, attributes.user.groups) === undefined) return rbac.authorize(attributes);
      return firstToAllow([nodes, rbac], attributes);
    },
  };
}

export interface AuthorizerOptions {
  readonly authorizationChain?: Pick<ConfiguredChain, "over">;
  /** The emulated minor; the newest when absent. */
  readonly kubeVersion?: Minor | undefined;
}

/** The authorizer of a server: that of its file, or everybody may do everything, or nodes and roles decide. */
export function authorizerOf(
  { authorizationChain, kubeVersion }: AuthorizerOptions,
  rbac: StoredRbac | undefined,
  caches: NamedCaches,
): Authorizer {
  if (rbac === undefined) return ALWAYS_ALLOW;
  return authorizationChain?.over(ownAuthorizers(rbac, caches, kubeVersion)) ?? withNodes(rbac, caches, kubeVersion);
}
