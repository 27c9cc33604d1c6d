// Rights of a program: only those that it needs. Objects that it writes are named, or in its own namespace.

import type { KubeObject } from "@celadon/kube";
import { labelsOf, type ManifestSettings } from "./settings.ts";

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const RBAC = "rbac.authorization.k8s.io";

export const rule = (group: string, resources: string, verbs: string, resourceNames?: readonly string[]): Rule => ({
  apiGroups: [group],
  resources: resources.split(" "),
  verbs: verbs.split(" "),
  ...(resourceNames && { resourceNames }),
});

/**
 * A service account with rights in the cluster and in its own namespace. Roles that carry the label are added to those in the cluster: so
 * owners can add kinds of params, or of objects to audit.
 */
export function rights(
  settings: ManifestSettings,
  component: string,
  { cluster, own }: { readonly cluster: readonly Rule[]; readonly own: readonly Rule[] },
): readonly KubeObject[] {
  const { name, namespace } = settings;
  const labels = labelsOf(settings, component);
  const aggregate = { [aggregateLabel(component)]: "true" };
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const binding = (kind: "ClusterRole" | "Role", role: string): object => ({
    roleRef: { apiGroup: RBAC, kind, name: role },
    subjects,
  });
  const inNamespace: readonly KubeObject[] =
    own.length === 0
      ? []
      : [
          { apiVersion: `${RBAC}/v1`, kind: "Role", metadata: { name, namespace, labels }, rules: own },
          {
            apiVersion: `${RBAC}/v1`,
            kind: "RoleBinding",
            metadata: { name, namespace, labels },
            ...binding("Role", name),
          },
        ];
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace, labels } },
    { apiVersion: `${RBAC}/v1`, kind: "ClusterRole", metadata: { name, labels }, rules: cluster },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRole",
      metadata: { name: `${name}-more`, labels },
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: aggregate }] },
      rules: [],
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name, labels },
      ...binding("ClusterRole", name),
    },
    {
      apiVersion: `${RBAC}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: `${name}-more`, labels },
      ...binding("ClusterRole", `${name}-more`),
    },
    ...inNamespace,
  ];
}

/** The label by which a role is added to those of a component. */
export const aggregateLabel = (component: string): string => `celadon.dev/aggregate-to-${component}`;

/** `leases` that the replicas elect a leader by. */
export const leaseRules = (lease: string): readonly Rule[] => [
  rule("coordination.k8s.io", "leases", "create"),
  rule("coordination.k8s.io", "leases", "get update", [lease]),
];

/** A Secret of its own: made where it is missing, watched by name. */
export const secretRules = (secret: string): readonly Rule[] => [
  rule("", "secrets", "create"),
  rule("", "secrets", "get list watch update", [secret]),
];
