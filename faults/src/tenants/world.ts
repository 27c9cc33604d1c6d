// Namespaces with objects that tell where they were seen, and tenants with random rights about them.

import type { Random } from "../random.ts";
import type { Grant } from "./rights.ts";

export const NAMESPACES: readonly string[] = ["red", "green", "blue", "grey"];
export const NAMES: readonly string[] = ["one", "two", "three", "four"];
/** With the path of their group. */
export const RESOURCES: Readonly<
  Record<string, { readonly root: string; readonly kind: string; readonly apiVersion: string }>
> = {
  secrets: { root: "/api/v1", kind: "Secret", apiVersion: "v1" },
  configmaps: { root: "/api/v1", kind: "ConfigMap", apiVersion: "v1" },
  serviceaccounts: { root: "/api/v1", kind: "ServiceAccount", apiVersion: "v1" },
  leases: { root: "/apis/coordination.k8s.io/v1", kind: "Lease", apiVersion: "coordination.k8s.io/v1" },
};
export const VERBS: readonly string[] = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
];

export interface Tenant {
  readonly name: string;
  readonly token: string;
  readonly grants: readonly Grant[];
}

/** The text by which an object is known wherever it shows up. */
export const markerOf = (resource: string, namespace: string, name: string): string =>
  `mark-${resource}-${namespace}-${name}-mark`;

export const MARKER: RegExp = /mark-([a-z]+)-([a-z]+)-([a-z]+)-mark/g;

export function objectOf(resource: string, namespace: string, name: string): object {
  const { kind, apiVersion } = RESOURCES[resource]!;
  // An annotation that no tenant may change away: the control puts it back.
  const metadata = { name, namespace, annotations: { "example.com/mark": markerOf(resource, namespace, name) } };
  return { apiVersion, kind, metadata };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)]!;
}

function some<T>(random: Random, list: readonly T[]): readonly T[] {
  const chosen = list.filter(() => random(3) === 0);
  return chosen.length > 0 ? chosen : [pick(random, list)];
}

export function randomTenants(random: Random, count: number): readonly Tenant[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `tenant-${i}`,
    token: `token-of-tenant-${i}`,
    grants: Array.from({ length: 1 + random(3) }, () => randomGrant(random)),
  }));
}

function randomGrant(random: Random): Grant {
  const names = random(3) === 0 ? { names: some(random, NAMES) } : {};
  return {
    namespace: random(6) === 0 ? undefined : pick(random, NAMESPACES),
    verbs: some(random, VERBS),
    resources: some(random, Object.keys(RESOURCES)),
    ...names,
  };
}

/** The roles and bindings of a tenant, with the paths of their collections. */
export function rolesOf({ name, grants }: Tenant): readonly { readonly path: string; readonly body: object }[] {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  return grants.flatMap(({ namespace, verbs, resources, names }, i) => {
    const kind = namespace === undefined ? "ClusterRole" : "Role";
    const at = namespace === undefined ? rbac : `${rbac}/namespaces/${namespace}`;
    const plural = kind === "Role" ? "roles" : "clusterroles";
    const metadata = { name: `${name}-${i}`, ...(namespace && { namespace }) };
    const rule = { apiGroups: ["", "coordination.k8s.io"], resources, verbs, ...(names && { resourceNames: names }) };
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const subjects = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name }];
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name };
    return [
      { path: `${at}/${plural}`, body: { apiVersion, kind, metadata, rules: [rule] } },
      {
        path: `${at}/${plural.replace("roles", "rolebindings")}`,
        body: { apiVersion, kind: `${kind}Binding`, metadata, subjects, roleRef },
      },
    ];
  });
}
