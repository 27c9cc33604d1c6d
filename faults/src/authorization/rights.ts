// Users with random roles, and the rights these give: simple rules written down once, and read here by a few lines that share nothing with any
// server's code.

import type { Random } from "../random.ts";

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The rules of a user in one namespace, or in all. */
export interface Grant {
  readonly user: string;
  /** Empty for the whole cluster. */
  readonly namespace: string;
  readonly rules: readonly Rule[];
}

export const NAMESPACES: readonly string[] = ["az-a", "az-b"];
/** Service accounts of the first namespace. */
export const USERS: readonly string[] = ["u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7"];
export const NAMES: readonly string[] = ["az-one", "az-two", "az.dotted"];
export const usernameOf = (user: string): string => `system:serviceaccount:az-a:${user}`;

const VERBS = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

// biome-ignore format: one group per line
const RESOURCES: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["",                             ["configmaps", "secrets", "serviceaccounts", "pods", "pods/log", "pods/status", "pods/exec", "services/proxy", "serviceaccounts/token", "namespaces", "nodes", "*", "*/status"]],
  ["apps",                         ["deployments", "deployments/scale", "deployments/status", "*"]],
  ["rbac.authorization.k8s.io",    ["roles", "rolebindings", "clusterroles", "clusterrolebindings"]],
  ["example.com",                  ["widgets", "widgets/status", "gadgets", "*"]],
  ["apiextensions.k8s.io",         ["customresourcedefinitions"]],
  ["admissionregistration.k8s.io", ["validatingadmissionpolicies"]],
  ["*",                            ["configmaps", "*"]],
];
const PATHS = [
  "/metrics",
  "/metrics/*",
  "/healthz",
  "/healthz/*",
  "/version/*",
  "/apis/*",
  "/openapi/*",
  "/api",
  "/logs/*",
  "*",
];

const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!;
const some = <T>(random: Random, list: readonly T[], most: number): T[] => [
  ...new Set(Array.from({ length: 1 + random(most) }, () => pick(random, list))),
];

export function randomGrants(random: Random): readonly Grant[] {
  return USERS.flatMap((user) => {
    const grants: Grant[] = [];
    for (const namespace of [...NAMESPACES, ""]) {
      const rules = Array.from({ length: random(namespace === "" ? 5 : 6) }, () =>
        randomRule(random, namespace === ""),
      );
      if (rules.length > 0) grants.push({ user, namespace, rules });
    }
    return grants;
  });
}

function randomRule(random: Random, isCluster: boolean): Rule {
  if (isCluster && random(3) === 0)
    return { verbs: [pick(random, ["get", "get", "*"])], nonResourceURLs: some(random, PATHS, 2) };
  if (isCluster && random(4) === 0) {
    return {
      verbs: ["impersonate"],
      apiGroups: [""],
      resources: [pick(random, ["users", "serviceaccounts", "groups"])],
      ...(random(3) > 0 && {
        resourceNames: [pick(random, [...USERS, ...USERS.map(usernameOf), "system:masters", "dev"])],
      }),
    };
  }
  if (isCluster && random(5) === 0) return constrainedRule(random);
  const [group, resources] = pick(random, RESOURCES);
  return {
    verbs: random(6) === 0 ? ["*"] : some(random, VERBS, 3),
    apiGroups: [group],
    resources: some(random, resources, 2),
    ...(random(2) === 0 && { resourceNames: some(random, NAMES, 2) }),
  };
}

/** Both halves of constrained impersonation are rules of their own: users get one of them, or by chance both. */
function constrainedRule(random: Random): Rule {
  const [mode, resource] = pick(random, [
    ["user-info", "users"],
    ["serviceaccount", "serviceaccounts"],
  ] as const);
  if (random(2) === 0)
    return { verbs: [`impersonate:${mode}`], apiGroups: ["authentication.k8s.io"], resources: [resource] };
  return {
    verbs: [pick(random, ["get", "list", "create"])].map((verb) => `impersonate-on:${mode}:${verb}`),
    apiGroups: ["*"],
    resources: ["*"],
  };
}

/** Whether any right of a user can show an object. Writes answer with the object too. */
export function maySee(
  grants: readonly Grant[],
  user: string,
  { group, resource, namespace, name }: { group: string; resource: string; namespace: string; name: string },
): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list?.some((item) => item === "*" || item === value) ?? false;
  return grants.some(
    (grant) =>
      grant.user === user &&
      (grant.namespace === "" || grant.namespace === namespace) &&
      grant.rules.some(
        ({ verbs, apiGroups, resources, resourceNames = [] }) =>
          verbs.some((verb) => verb === "*" || VERBS.includes(verb)) &&
          has(apiGroups, group) &&
          (resources ?? []).some((item) => item === "*" || item.split("/")[0] === resource || item.startsWith("*/")) &&
          (resourceNames.length === 0 || resourceNames.includes(name)),
      ),
  );
}

/** Users whom a user may act as, including the user, by the rules about impersonation. */
export function identities(grants: readonly Grant[], user: string): readonly string[] {
  const may = grants
    .filter((grant) => grant.user === user)
    .some(({ rules }) =>
      rules.some(
        ({ verbs, resources = [] }) =>
          verbs.some((verb) => verb.startsWith("impersonate") || verb === "*") && resources.length > 0,
      ),
    );
  return may ? USERS : [user];
}
