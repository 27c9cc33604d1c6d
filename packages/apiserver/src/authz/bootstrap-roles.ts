// Roles and bindings a server has from the start: what every authenticated user may ask, the administrator, and the three roles for people in
// a namespace. The roles of Kubernetes' own components are not among them: they come with those who run the components.

import type { KubeObject } from "@celadon/kube";

const GROUP = "rbac.authorization.k8s.io";
const BOOTSTRAP = { "kubernetes.io/bootstrapping": "rbac-defaults" };
const READ = ["get", "list", "watch"];
const WRITE = ["create", "delete", "deletecollection", "patch", "update"];
const ALL = [...WRITE, ...READ];

interface Rule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly verbs: readonly string[];
}

const rule = (group: string, resources: readonly string[], verbs: readonly string[]): Rule => ({
  apiGroups: [group],
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

const CORE = [
  "configmaps",
  "endpoints",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "replicationcontrollers/scale",
  "serviceaccounts",
  "services",
];
const APPS = [
  "controllerrevisions",
  "daemonsets",
  "deployments",
  "deployments/scale",
  "replicasets",
  "replicasets/scale",
  "statefulsets",
  "statefulsets/scale",
];
const OTHERS: readonly (readonly [group: string, resources: readonly string[]])[] = [
  ["apps", APPS],
  ["autoscaling", ["horizontalpodautoscalers"]],
  ["batch", ["cronjobs", "jobs"]],
  ["discovery.k8s.io", ["endpointslices"]],
  ["networking.k8s.io", ["ingresses", "networkpolicies"]],
  ["policy", ["poddisruptionbudgets"]],
  ["resource.k8s.io", ["resourceclaims", "resourceclaimtemplates"]],
];

const VIEW: readonly Rule[] = [
  rule(
    "",
    [
      ...CORE,
      "events",
      "limitranges",
      "namespaces",
      "namespaces/status",
      "pods/log",
      "pods/status",
      "resourcequotas",
      "services/status",
    ],
    READ,
  ),
  ...OTHERS.map(([group, resources]) =>
    rule(group, [...resources, ...resources.map((name) => `${name}/status`)], READ),
  ),
];
const EDIT: readonly Rule[] = [
  rule("", ["pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"], READ),
  rule("", ["serviceaccounts"], ["impersonate"]),
  rule(
    "",
    [...CORE, "events", "pods/attach", "pods/exec", "pods/portforward", "pods/proxy", "secrets", "services/proxy"],
    WRITE,
  ),
  rule("", ["pods/eviction", "serviceaccounts/token"], ["create"]),
  ...OTHERS.map(([group, resources]) => rule(group, resources, WRITE)),
  rule("coordination.k8s.io", ["leases"], ALL),
];
const ADMIN: readonly Rule[] = [
  rule("authorization.k8s.io", ["localsubjectaccessreviews"], ["create"]),
  rule(GROUP, ["rolebindings", "roles"], ALL),
];

const ROLES: Readonly<Record<string, readonly Rule[]>> = {
  "cluster-admin": [rule("*", ["*"], ["*"]), { nonResourceURLs: ["*"], verbs: ["*"] }],
  admin: [...ADMIN, ...EDIT, ...VIEW],
  edit: [...EDIT, ...VIEW],
  view: VIEW,
  "system:discovery": [{ nonResourceURLs: PATHS, verbs: ["get"] }],
  "system:public-info-viewer": [
    { nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"], verbs: ["get"] },
  ],
  "system:basic-user": [
    rule("authorization.k8s.io", ["selfsubjectaccessreviews", "selfsubjectrulesreviews"], ["create"]),
    rule("authentication.k8s.io", ["selfsubjectreviews"], ["create"]),
  ],
};

const BINDINGS: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["system:masters"],
  "system:discovery": ["system:authenticated"],
  "system:public-info-viewer": ["system:authenticated", "system:unauthenticated"],
  "system:basic-user": ["system:authenticated"],
};

export function bootstrapRoles(): readonly KubeObject[] {
  const apiVersion = `${GROUP}/v1`;
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "true" };
  const metadata = (name: string) => ({ name, labels: BOOTSTRAP, annotations });
  const roles = Object.entries(ROLES).map(([name, rules]) => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: metadata(name),
    rules,
  }));
  const bindings = Object.entries(BINDINGS).map(([name, groups]) => ({
    apiVersion,
    kind: "ClusterRoleBinding",
    metadata: metadata(name),
    roleRef: { apiGroup: GROUP, kind: "ClusterRole", name },
    subjects: groups.map((group) => ({ apiGroup: GROUP, kind: "Group", name: group })),
  }));
  return [...roles, ...bindings] as unknown as readonly KubeObject[];
}
