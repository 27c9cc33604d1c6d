// RBAC as the API server's authorizer answers, with its reasons.

import type { KubeObject } from "@celadon/kube";
import type { Attributes } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { createRbacAuthorizer } from "./rbac.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";
const role = (kind: "Role" | "ClusterRole", name: string, rules: unknown, namespace?: string): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name, ...(namespace && { namespace }) },
  rules,
});
const bind = (
  name: string,
  roleRef: [kind: string, name: string],
  subject: Record<string, string>,
  namespace?: string,
): KubeObject => ({
  apiVersion,
  kind: namespace ? "RoleBinding" : "ClusterRoleBinding",
  metadata: { name, ...(namespace && { namespace }) },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: roleRef[0], name: roleRef[1] },
  subjects: [subject],
});

const authorizer = createRbacAuthorizer(
  [
    role("ClusterRole", "reader", [
      { verbs: ["get", "list"], apiGroups: [""], resources: ["pods", "pods/log", "*/scale"] },
    ]),
    role("ClusterRole", "everything", [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }]),
    role("ClusterRole", "health", [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/metrics/*"] }]),
    role(
      "Role",
      "one",
      [{ verbs: ["update"], apiGroups: ["apps"], resources: ["deployments"], resourceNames: ["web"] }],
      "n",
    ),
    bind("readers", ["ClusterRole", "reader"], { kind: "Group", name: "readers" }),
    bind("health", ["ClusterRole", "health"], { kind: "Group", name: "readers" }),
    bind("root", ["ClusterRole", "everything"], { kind: "User", name: "root" }, "n"),
    bind("web", ["Role", "one"], { kind: "User", name: "ann" }, "n"),
    bind("robot", ["ClusterRole", "reader"], { kind: "ServiceAccount", name: "bot" }, "n"),
    bind("lost", ["ClusterRole", "gone"], { kind: "User", name: "lost" }),
  ],
  { overrides: [{ user: "eve", verb: "get", decision: "deny", reason: "not eve" }] },
);

const READERS = ["readers"];
const GET = { verb: "get", apiGroup: "", resource: "pods" };

// biome-ignore format: one case per line
const cases: { name: string; user?: string; groups?: string[]; asked: Partial<Attributes>; want: string }[] = [
  { name: "by group",                    groups: READERS, asked: GET,                                           want: 'allow RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "readers"' },
  { name: "another verb",                groups: READERS, asked: { ...GET, verb: "delete" },                    want: "noOpinion " },
  { name: "another group",               groups: READERS, asked: { ...GET, apiGroup: "apps" },                  want: "noOpinion " },
  { name: "a subresource by name",       groups: READERS, asked: { ...GET, subresource: "log" },                want: 'allow RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "readers"' },
  { name: "another subresource",         groups: READERS, asked: { ...GET, subresource: "exec" },               want: "noOpinion " },
  { name: "a subresource of anything",   groups: READERS, asked: { ...GET, resource: "x", subresource: "scale" }, want: 'allow RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "readers"' },
  { name: "everything in a namespace",   user: "root",    asked: { verb: "x", apiGroup: "y", resource: "z", subresource: "s", namespace: "n" }, want: 'allow RBAC: allowed by RoleBinding "root/n" of ClusterRole "everything" to User "root"' },
  { name: "and in no other",             user: "root",    asked: { ...GET, namespace: "m" },                    want: "noOpinion " },
  { name: "nor in the cluster",          user: "root",    asked: GET,                                           want: "noOpinion " },
  { name: "one name",                    user: "ann",     asked: { verb: "update", apiGroup: "apps", resource: "deployments", namespace: "n", name: "web" }, want: 'allow RBAC: allowed by RoleBinding "web/n" of Role "one" to User "ann"' },
  { name: "another name",                user: "ann",     asked: { verb: "update", apiGroup: "apps", resource: "deployments", namespace: "n", name: "db" },  want: "noOpinion " },
  { name: "no name",                     user: "ann",     asked: { verb: "update", apiGroup: "apps", resource: "deployments", namespace: "n" },  want: "noOpinion " },
  { name: "a service account",           user: "system:serviceaccount:n:bot", asked: { ...GET, namespace: "n" }, want: 'allow RBAC: allowed by RoleBinding "robot/n" of ClusterRole "reader" to ServiceAccount "bot/n"' },
  { name: "a path",                      groups: READERS, asked: { verb: "get", resourceRequest: false, path: "/healthz" },       want: 'allow RBAC: allowed by ClusterRoleBinding "health" of ClusterRole "health" to Group "readers"' },
  { name: "a path by prefix",            groups: READERS, asked: { verb: "get", resourceRequest: false, path: "/metrics/slis" },  want: 'allow RBAC: allowed by ClusterRoleBinding "health" of ClusterRole "health" to Group "readers"' },
  { name: "another path",                groups: READERS, asked: { verb: "get", resourceRequest: false, path: "/healthz/etcd" },  want: "noOpinion " },
  { name: "a role that does not exist",    user: "lost",    asked: GET,                                           want: 'noOpinion RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found' },
  { name: "an override",                 user: "eve",     groups: READERS, asked: GET,                          want: "deny not eve" },
  { name: "the override's verb alone",   user: "eve",     groups: READERS, asked: { ...GET, verb: "list" },     want: 'allow RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "readers"' },
  { name: "masters",                     groups: ["system:masters"], asked: { ...GET, verb: "x" },              want: "allow " },
];

test.each(cases)("$name", async ({ user = "somebody", groups = [], asked, want }) => {
  const { decision, reason = "" } = await authorizer.authorize({
    user: { name: user, groups },
    resourceRequest: true,
    verb: "",
    ...asked,
  });
  expect(`${decision} ${reason}`).toBe(want);
});

// biome-ignore format: one case per line
const odd: readonly unknown[] = [null, "x", 3, [null], ["x"], [{ verbs: "*", apiGroups: 3, resources: [null], resourceNames: {} }]];
test.each(odd)("rules %j grant nothing", (rules) => {
  const bound = {
    ...bind("b", ["ClusterRole", "odd"], { kind: "User", name: "ann" }),
    subjects: [null, "x", { kind: "User", name: "ann" }],
  };
  const { authorize } = createRbacAuthorizer([role("ClusterRole", "odd", rules), bound]);
  const asked = { user: { name: "ann", groups: [], extra: {} }, verb: "get", resourceRequest: true, resource: "pods" };
  expect(authorize(asked)).toMatchObject({ decision: "noOpinion" });
});
