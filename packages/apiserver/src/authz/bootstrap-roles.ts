// Roles and bindings of a server from the start: rights of every authenticated user, the administrator, the three roles for people in a
// namespace with the roles they are made of, and those of kubelets, monitoring and programs that check tokens. The roles of Kubernetes'
// other components are in component-roles.ts. Upstream: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.

import type { KubeObject } from "@celadon/kube";

const GROUP = "rbac.authorization.k8s.io";
const BOOTSTRAP = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const ALL = [...WRITE, ...READ].sort();

export interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const rule = (group: string | readonly string[], resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: typeof group === "string" ? [group] : group,
  resources,
  verbs,
});

const PATHS = [
  "/api",
  "/api/*",
  "/apis",
  "/apis/*",
  "/healthz",
  "/livez",
  "/openapi",
  "/openapi/*",
  "/readyz",
  "/version",
  "/version/",
];

const VIEW: readonly Rule[] = [
  rule(
    "",
    [
      "configmaps",
      "endpoints",
      "persistentvolumeclaims",
      "persistentvolumeclaims/status",
      "pods",
      "replicationcontrollers",
      "replicationcontrollers/scale",
      "serviceaccounts",
      "services",
      "services/status",
    ],
    READ,
  ),
  rule(
    "",
    [
      "bindings",
      "limitranges",
      "namespaces/status",
      "pods/log",
      "pods/status",
      "replicationcontrollers/status",
      "resourcequotas",
      "resourcequotas/status",
    ],
    READ,
  ),
  rule("", ["namespaces"], READ),
  rule(["", "events.k8s.io"], ["events"], READ),
  rule("discovery.k8s.io", ["endpointslices"], READ),
  rule(
    "apps",
    [
      "controllerrevisions",
      "daemonsets",
      "daemonsets/status",
      "deployments",
      "deployments/scale",
      "deployments/status",
      "replicasets",
      "replicasets/scale",
      "replicasets/status",
      "statefulsets",
      "statefulsets/scale",
      "statefulsets/status",
    ],
    READ,
  ),
  rule("autoscaling", ["horizontalpodautoscalers", "horizontalpodautoscalers/status"], READ),
  rule("batch", ["cronjobs", "cronjobs/status", "jobs", "jobs/status"], READ),
  rule(
    "extensions",
    [
      "daemonsets",
      "daemonsets/status",
      "deployments",
      "deployments/scale",
      "deployments/status",
      "ingresses",
      "ingresses/status",
      "networkpolicies",
      "replicasets",
      "replicasets/scale",
      "replicasets/status",
      "replicationcontrollers/scale",
    ],
    READ,
  ),
  rule("policy", ["poddisruptionbudgets", "poddisruptionbudgets/status"], READ),
  rule("networking.k8s.io", ["ingresses", "ingresses/status", "networkpolicies"], READ),
  rule("resource.k8s.io", ["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"], READ),
];

const EDIT: readonly Rule[] = [
  rule("", ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"], READ),
  rule("", ["serviceaccounts"], ["impersonate"]),
  rule("", ["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"], WRITE),
  rule("", ["pods/eviction"], ["create"]),
  rule(
    "",
    [
      "configmaps",
      "persistentvolumeclaims",
      "replicationcontrollers",
      "replicationcontrollers/scale",
      "secrets",
      "serviceaccounts",
      "services",
      "services/proxy",
    ],
    WRITE,
  ),
  rule("", ["serviceaccounts/token"], ["create"]),
  rule(["", "events.k8s.io"], ["events"], WRITE),
  rule(
    "apps",
    [
      "daemonsets",
      "deployments",
      "deployments/rollback",
      "deployments/scale",
      "replicasets",
      "replicasets/scale",
      "statefulsets",
      "statefulsets/scale",
    ],
    WRITE,
  ),
  rule("autoscaling", ["horizontalpodautoscalers"], WRITE),
  rule("batch", ["cronjobs", "jobs"], WRITE),
  rule(
    "extensions",
    [
      "daemonsets",
      "deployments",
      "deployments/rollback",
      "deployments/scale",
      "ingresses",
      "networkpolicies",
      "replicasets",
      "replicasets/scale",
      "replicationcontrollers/scale",
    ],
    WRITE,
  ),
  rule("policy", ["poddisruptionbudgets"], WRITE),
  rule("networking.k8s.io", ["ingresses", "networkpolicies"], WRITE),
  rule("coordination.k8s.io", ["leases"], ALL),
  rule("resource.k8s.io", ["resourceclaims", "resourceclaimtemplates"], WRITE),
];

const ADMIN: readonly Rule[] = [
  rule("authorization.k8s.io", ["localsubjectaccessreviews"], ["create"]),
  rule(GROUP, ["rolebindings", "roles"], ALL),
];

const CHANGE = ["patch", "update"];

/** The rules of a kubelet; the node authorizer narrows them to what belongs to its node. */
export const NODE_RULES: readonly Rule[] = [
  rule("authentication.k8s.io", ["tokenreviews"], ["create"]),
  rule("authorization.k8s.io", ["localsubjectaccessreviews", "subjectaccessreviews"], ["create"]),
  rule("", ["services"], READ),
  rule("", ["nodes"], ["create", ...READ]),
  rule("", ["nodes/status"], CHANGE),
  rule("", ["nodes"], CHANGE),
  rule(["", "events.k8s.io"], ["events"], ["create", ...CHANGE]),
  rule("", ["pods"], READ),
  rule("", ["pods"], ["create", "delete"]),
  rule("", ["pods/status"], CHANGE),
  rule("", ["pods/eviction"], ["create"]),
  rule("", ["configmaps", "secrets"], READ),
  rule("", ["persistentvolumeclaims", "persistentvolumes"], ["get"]),
  rule("", ["endpoints"], ["get"]),
  rule("certificates.k8s.io", ["certificatesigningrequests"], ["create", ...READ]),
  rule("coordination.k8s.io", ["leases"], ["create", "delete", "get", ...CHANGE]),
  rule("storage.k8s.io", ["volumeattachments"], ["get"]),
  rule("", ["serviceaccounts/token"], ["create"]),
  rule("", ["persistentvolumeclaims/status"], ["get", ...CHANGE]),
  rule("storage.k8s.io", ["csidrivers"], READ),
  rule("storage.k8s.io", ["csinodes"], ["create", "delete", "get", ...CHANGE]),
  rule("node.k8s.io", ["runtimeclasses"], READ),
  rule("resource.k8s.io", ["resourceclaims"], ["get"]),
  rule("resource.k8s.io", ["resourceslices"], ["deletecollection"]),
  rule("", ["serviceaccounts"], ["get"]),
];

const METRICS_PATHS = [
  "/flagz",
  "/healthz",
  "/healthz/*",
  "/livez",
  "/livez/*",
  "/metrics",
  "/metrics/slis",
  "/readyz",
  "/readyz/*",
  "/statusz",
];

const ROLES: Readonly<Record<string, readonly Rule[]>> = {
  "cluster-admin": [rule("*", ["*"], ["*"]), { nonResourceURLs: ["*"], verbs: ["*"] }],
  "system:aggregate-to-admin": ADMIN,
  "system:aggregate-to-edit": EDIT,
  "system:aggregate-to-view": VIEW,
  // The aggregate of the roles with the labels below, in the order of their names: in force also where it is switched off.
  admin: [...EDIT, ...VIEW, ...ADMIN],
  edit: [...EDIT, ...VIEW],
  view: VIEW,
  "system:auth-delegator": [
    rule("authentication.k8s.io", ["tokenreviews"], ["create"]),
    rule("authorization.k8s.io", ["subjectaccessreviews"], ["create"]),
  ],
  "system:discovery": [{ nonResourceURLs: PATHS, verbs: ["get"] }],
  "system:monitoring": [{ nonResourceURLs: METRICS_PATHS, verbs: ["get"] }, rule("", ["nodes/metrics"], ["get"])],
  "system:node": NODE_RULES,
  "system:public-info-viewer": [
    { nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"], verbs: ["get"] },
  ],
  "system:basic-user": [
    rule("authorization.k8s.io", ["selfsubjectaccessreviews", "selfsubjectrulesreviews"], ["create"]),
    rule("authentication.k8s.io", ["selfsubjectreviews"], ["create"]),
  ],
};

const AGGREGATE_TO = "rbac.authorization.k8s.io/aggregate-to-";
const AGGREGATED = ["admin", "edit", "view"];
/** The aggregated role to which each role belongs. */
const PART_OF: Readonly<Record<string, string>> = {
  edit: "admin",
  view: "edit",
  "system:aggregate-to-admin": "admin",
  "system:aggregate-to-edit": "edit",
  "system:aggregate-to-view": "view",
};

const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["system:masters"],
  "system:discovery": ["system:authenticated"],
  "system:monitoring": ["system:monitoring"],
  "system:public-info-viewer": ["system:authenticated", "system:unauthenticated"],
  "system:basic-user": ["system:authenticated"],
};

export function bootstrapRoles(): readonly KubeObject[] {
  const apiVersion = `${GROUP}/v1`;
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "true" };
  const metadata = (name: string) => {
    const part = PART_OF[name];
    return { name, labels: { ...BOOTSTRAP, ...(part && { [`${AGGREGATE_TO}${part}`]: "true" }) }, annotations };
  };
  const roles = Object.entries(ROLES).map(([name, rules]) => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: metadata(name),
    ...(AGGREGATED.includes(name) && {
      aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [`${AGGREGATE_TO}${name}`]: "true" } }] },
    }),
    rules,
  }));
  const bindings = Object.entries(BINDINGS).map(([name, groups]) => ({
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: { name, labels: BOOTSTRAP, annotations },
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name },
    subjects: groups.map((group) => ({ apiGroup: GROUP, kind: "Group", name: group })),
  }));
  return [...roles, ...bindings] as readonly KubeObject[];
}
