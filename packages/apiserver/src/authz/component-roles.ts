// Roles and bindings of Kubernetes' own components, as objects.
// Upstream: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy.

import type { KubeObject } from "@celadon/kube";
import { CURRENT, holdsAt, isBefore, type Minor, type MinorRange } from "@celadon/kube/versions";
import { COMPONENT_ROLES, NAMESPACE_ROLES, ROLES_SINCE } from "./component-rules.ts";
import { rulesAt } from "./role-rule.ts";

const GROUP = "rbac.authorization.k8s.io";
const CONTROLLER = "system:controller:";
/** This role is in bootstrap-roles.ts. */
const NODES = "system:node";

type Subject = Readonly<Record<"kind" | "name", string>> & {
  readonly apiGroup?: string;
  readonly namespace?: string;
} & MinorRange;

const user = (name: string): Subject => ({ apiGroup: GROUP, kind: "User", name });
const group = (name: string): Subject => ({ apiGroup: GROUP, kind: "Group", name });
const account = (name: string): Subject => ({ kind: "ServiceAccount", name, namespace: "kube-system" });

const MANAGER = user("system:kube-controller-manager");
const SCHEDULER = user("system:kube-scheduler");

/**
 * The bindings of the cluster roles that are not a controller's, by name. Nobody is bound to the role of nodes: the pods on a node decide
 * its rights.
 */
const CLUSTER_BINDINGS: Readonly<Record<string, readonly Subject[]>> = {
  "system:cluster-trust-bundle-discovery": [group("system:serviceaccounts")],
  "system:kube-controller-manager": [MANAGER],
  "system:kube-dns": [account("kube-dns")],
  "system:kube-scheduler": [SCHEDULER],
  [NODES]: [],
  "system:node-proxier": [user("system:kube-proxy")],
  "system:service-account-issuer-discovery": [group("system:serviceaccounts")],
  "system:volume-scheduler": [SCHEDULER],
};

/** Bindings in namespaces: namespace, name, role and subjects. */
// biome-ignore format: one binding per line
const BINDINGS: readonly (readonly [namespace: string, name: string, role: string, subjects: readonly Subject[]])[] = [
  ["kube-public", "system:controller:bootstrap-signer",             "system:controller:bootstrap-signer",             [account("bootstrap-signer")]],
  ["kube-system", "system::extension-apiserver-authentication-reader", "extension-apiserver-authentication-reader",   [MANAGER, SCHEDULER]],
  ["kube-system", "system::leader-locking-kube-controller-manager", "system::leader-locking-kube-controller-manager", [MANAGER, account("kube-controller-manager"), { ...account("leader-election-controller"), since: "1.31" }]],
  ["kube-system", "system::leader-locking-kube-scheduler",          "system::leader-locking-kube-scheduler",          [SCHEDULER, account("kube-scheduler")]],
  ["kube-system", "system:controller:bootstrap-signer",             "system:controller:bootstrap-signer",             [account("bootstrap-signer")]],
  ["kube-system", "system:controller:cloud-provider",               "system:controller:cloud-provider",               [account("cloud-provider")]],
  ["kube-system", "system:controller:token-cleaner",                "system:controller:token-cleaner",                [account("token-cleaner")]],
];

/** A role or binding, and the collection it is in. */
export interface ComponentObject {
  readonly collection: string;
  readonly object: KubeObject;
}

export function componentRoles(minor: Minor = CURRENT): readonly ComponentObject[] {
  const roles = Object.entries(COMPONENT_ROLES).filter(([name]) => !isBefore(minor, ROLES_SINCE[name] ?? minor));
  const names = roles.map(([name]) => name);
  const bound = [
    ...names
      .filter((name) => name.startsWith(CONTROLLER))
      .map((name) => [name, [account(name.slice(CONTROLLER.length))]] as const),
    ...Object.entries(CLUSTER_BINDINGS).filter(([name]) => name === NODES || names.includes(name)),
  ];
  return [
    ...roles.map(([name, rules]) => object("ClusterRole", "", name, { rules: rulesAt(rules, minor) })),
    ...bound.map(([name, subjects]) =>
      object("ClusterRoleBinding", "", name, boundTo("ClusterRole", name, subjects, minor)),
    ),
    ...NAMESPACE_ROLES.map(([namespace, name, rules]) =>
      object("Role", namespace, name, { rules: rulesAt(rules, minor) }),
    ),
    ...BINDINGS.map(([namespace, name, role, subjects]) =>
      object("RoleBinding", namespace, name, boundTo("Role", role, subjects, minor)),
    ),
  ];
}

function boundTo(kind: string, name: string, subjects: readonly Subject[], minor: Minor): object {
  const present = subjects
    .filter((subject) => holdsAt(subject, minor))
    .map(({ since: _since, removed: _removed, ...subject }) => subject);
  return { roleRef: { apiGroup: GROUP, kind, name }, ...(present.length > 0 && { subjects: present }) };
}

function object(kind: string, namespace: string, name: string, fields: object): ComponentObject {
  const metadata = {
    name,
    ...(namespace !== "" && { namespace }),
    labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
    annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
  };
  const within = namespace === "" ? "" : `namespaces/${namespace}/`;
  return {
    collection: `/apis/${GROUP}/v1/${within}${kind.toLowerCase()}s`,
    object: { apiVersion: `${GROUP}/v1`, kind, metadata, ...fields } as KubeObject,
  };
}
