// Roles and bindings of a server from the start: rights of every authenticated user, the administrator, the three roles for people in a
// namespace with the roles they are made of, and those of kubelets, monitoring and programs that check tokens. The roles of Kubernetes'
// other components are in component-roles.ts. Upstream: kubernetes plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.

import type { KubeObject } from "@celadon/kube";
import { CURRENT, holdsAt, type Minor, type MinorRange } from "@celadon/kube/versions";
import type { Rule } from "./role-rule.ts";

const GROUP = "rbac.authorization.k8s.io";
const BOOTSTRAP = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const ALL = [...WRITE, ...READ].sort();

/** A rule, and the minors that have it. */
type DatedRule = Rule & MinorRange;

const rule = (
  group: string | readonly string[],
  resources: readonly string[],
  verbs: readonly string[],
  minors: MinorRange = {},
): DatedRule => ({
  apiGroups: typeof group === "string" ? [group] : group,
  resources,
  verbs,
  ...minors,
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

const VIEWED = [
  "limitranges",
  "namespaces/status",
  "pods/log",
  "pods/status",
  "replicationcontrollers/status",
  "resourcequotas",
  "resourcequotas/status",
];

const VIEW: readonly DatedRule[] = [
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
  rule("", ["bindings", "events", ...VIEWED], READ, { removed: "1.35" }),
  rule("", ["bindings", ...VIEWED], READ, { since: "1.35" }),
  rule("", ["namespaces"], READ),
  rule(["", "events.k8s.io"], ["events"], READ, { since: "1.35" }),
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
  rule("resource.k8s.io", ["resourceclaims", "resourceclaims/status", "resourceclaimtemplates"], READ, {
    since: "1.34",
  }),
];

const EDITED = [
  "persistentvolumeclaims",
  "replicationcontrollers",
  "replicationcontrollers/scale",
  "secrets",
  "serviceaccounts",
  "services",
  "services/proxy",
];

const EDIT: readonly DatedRule[] = [
  rule("", ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"], READ),
  rule("", ["serviceaccounts"], ["impersonate"]),
  rule("", ["pods", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy"], WRITE),
  rule("", ["pods/eviction"], ["create"]),
  rule("", ["configmaps", "events", ...EDITED], WRITE, { removed: "1.35" }),
  rule("", ["configmaps", ...EDITED], WRITE, { since: "1.35" }),
  rule("", ["serviceaccounts/token"], ["create"]),
  rule(["", "events.k8s.io"], ["events"], WRITE, { since: "1.35" }),
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
  rule("resource.k8s.io", ["resourceclaims", "resourceclaimtemplates"], WRITE, { since: "1.34" }),
];

const ADMIN: readonly DatedRule[] = [
  rule("authorization.k8s.io", ["localsubjectaccessreviews"], ["create"]),
  rule(GROUP, ["rolebindings", "roles"], ALL),
];

const CHANGE = ["patch", "update"];

const NODE_RULES: readonly DatedRule[] = [
  rule("authentication.k8s.io", ["tokenreviews"], ["create"]),
  rule("authorization.k8s.io", ["localsubjectaccessreviews", "subjectaccessreviews"], ["create"]),
  rule("", ["services"], READ),
  rule("", ["nodes"], ["create", ...READ]),
  rule("", ["nodes/status"], CHANGE),
  rule("", ["nodes"], CHANGE),
  rule("", ["events"], ["create", ...CHANGE], { removed: "1.35" }),
  rule(["", "events.k8s.io"], ["events"], ["create", ...CHANGE], { since: "1.35" }),
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
  rule("resource.k8s.io", ["resourceclaims"], ["get"], { since: "1.34" }),
  rule("resource.k8s.io", ["resourceslices"], ["deletecollection"], { since: "1.34" }),
  rule("certificates.k8s.io", ["clustertrustbundles"], READ, { since: "1.37" }),
  rule("", ["serviceaccounts"], ["get"], { since: "1.34" }),
  rule("certificates.k8s.io", ["podcertificaterequests"], ["create", ...READ], { since: "1.37" }),
];

/** The rules of a kubelet; the node authorizer narrows them to what belongs to its node. */
export const nodeRules = (minor: Minor = CURRENT): readonly Rule[] => at(NODE_RULES, minor);

const METRICS_PATHS = [
  "/healthz",
  "/healthz/*",
  "/livez",
  "/livez/*",
  "/metrics",
  "/metrics/slis",
  "/readyz",
  "/readyz/*",
];

const ROLES: Readonly<Record<string, readonly DatedRule[]>> = {
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
  "system:monitoring": [
    { nonResourceURLs: METRICS_PATHS, verbs: ["get"], removed: "1.36" },
    { nonResourceURLs: ["/flagz", ...METRICS_PATHS, "/statusz"], verbs: ["get"], since: "1.36" },
    rule("", ["nodes/metrics"], ["get"], { since: "1.34" }),
  ],
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

function at(rules: readonly DatedRule[], minor: Minor): readonly Rule[] {
  return rules
    .filter((dated) => holdsAt(dated, minor))
    .map(({ since: _since, removed: _removed, ...present }) => present);
}

export function bootstrapRoles(minor: Minor = CURRENT): readonly KubeObject[] {
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
    rules: at(rules, minor),
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
