import { beforeAll, expect, test } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { type TestServer, testServer } from "../server.testing.ts";

const RBAC = "rbac.authorization.k8s.io";
const CLUSTER = `/apis/${RBAC}/v1`;
const HERE = `/apis/${RBAC}/v1/namespaces/default`;

const role = (name: string, rules: readonly object[], kind = "Role", more: object = {}) => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name },
  rules,
  ...more,
});
const binding = (name: string, refKind: string, ref: string, kind = "RoleBinding", user = "bob") => ({
  apiVersion: `${RBAC}/v1`,
  kind,
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: refKind, name: ref },
  subjects: [{ apiGroup: RBAC, kind: "User", name: user }],
});
const rule = (resources: readonly string[], verbs: readonly string[], more: object = {}) => ({
  apiGroups: [""],
  resources,
  verbs,
  ...more,
});

let running: TestServer;
let ann: LocalClient;
beforeAll(async () => {
  running = await testServer();
  const { admin, server } = running;
  const manage = { apiGroups: [RBAC], resources: ["*"], verbs: ["create", "update", "patch", "get"] };
  await admin.call("POST", `${CLUSTER}/clusterroles`, { body: role("manager", [manage], "ClusterRole") });
  await admin.call("POST", `${CLUSTER}/clusterrolebindings`, {
    body: binding("manager", "ClusterRole", "manager", "ClusterRoleBinding", "ann"),
  });
  await admin.call("POST", `${HERE}/roles`, { body: role("pods", [rule(["pods", "pods/log"], ["get", "list"])]) });
  await admin.call("POST", `${HERE}/rolebindings`, { body: binding("pods", "Role", "pods", "RoleBinding", "ann") });
  const bind = { apiGroups: [RBAC], resources: ["clusterroles"], resourceNames: ["view"], verbs: ["bind"] };
  const escalate = { apiGroups: [RBAC], resources: ["roles"], resourceNames: ["free"], verbs: ["escalate"] };
  await admin.call("POST", `${HERE}/roles`, { body: role("special", [bind, escalate]) });
  await admin.call("POST", `${HERE}/rolebindings`, {
    body: binding("special", "Role", "special", "RoleBinding", "ann"),
  });
  await admin.call("POST", `${HERE}/roles`, { body: role("free", []) });
  ann = new LocalClient(server, { username: "ann", groups: ["system:authenticated"] });
  return () => server.close();
});

const CREATED = 201;
const ATTEMPT =
  'user "ann" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';

// biome-ignore format: one case per line
const cases: readonly (readonly [what: string, path: string, body: object, want: number | string])[] = [
  ["a role within one's rights",           `${HERE}/roles`, role("a", [rule(["pods"], ["get"])]), CREATED],
  ["a subresource within them",            `${HERE}/roles`, role("b", [rule(["pods/log"], ["list"], { resourceNames: ["x"] })]), CREATED],
  ["another verb",                         `${HERE}/roles`, role("c", [rule(["pods"], ["get", "delete", "create"])]), `${ATTEMPT}{APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}`],
  ["another subresource",                  `${HERE}/roles`, role("d", [rule(["pods/exec", "secrets"], ["get"])]), `${ATTEMPT}{APIGroups:[""], Resources:["pods/exec"], Verbs:["get"]}\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`],
  ["everything by a star",                 `${HERE}/roles`, role("e", [rule(["*"], ["get"])]), `${ATTEMPT}{APIGroups:[""], Resources:["*"], Verbs:["get"]}`],
  ["rights of one namespace everywhere",   `${CLUSTER}/clusterroles`, role("f", [rule(["pods"], ["get"])], "ClusterRole"), `${ATTEMPT}{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`],
  ["a path",                               `${CLUSTER}/clusterroles`, role("g", [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }], "ClusterRole"), `${ATTEMPT}{NonResourceURLs:["/metrics"], Verbs:["get"]}`],
  ["an aggregation",                       `${CLUSTER}/clusterroles`, role("h", [], "ClusterRole", { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }), "must have cluster-admin privileges to use the aggregationRule"],
  ["binding a role one has",               `${HERE}/rolebindings`, binding("a", "Role", "pods"), CREATED],
  ["binding a role one may bind",          `${HERE}/rolebindings`, binding("b", "ClusterRole", "view"), CREATED],
  ["binding a stronger role",              `${HERE}/rolebindings`, binding("c", "ClusterRole", "cluster-admin"), `${ATTEMPT}{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`],
  ["binding it in the cluster",            `${CLUSTER}/clusterrolebindings`, binding("d", "ClusterRole", "cluster-admin", "ClusterRoleBinding"), `${ATTEMPT}{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`],
];

test.each(cases)("%s", async (_, path, body, want) => {
  const reply = await ann.call("POST", path, { body });
  if (typeof want === "number") expect(reply.code, reply.text).toBe(want);
  else {
    const { name } = (body as { metadata: { name: string } }).metadata;
    const plural = path.slice(path.lastIndexOf("/") + 1);
    expect([reply.code, reply.json().message]).toEqual([403, `${plural}.${RBAC} "${name}" is forbidden: ${want}`]);
  }
});

test("a role that may be escalated accepts any rule; a binding to a role that does not exist gets 404", async () => {
  const body = role("free", [rule(["secrets"], ["*"])]);
  expect((await ann.call("PUT", `${HERE}/roles/free`, { body })).code).toBe(200);
  const lost = await ann.call("POST", `${HERE}/rolebindings`, { body: binding("lost", "Role", "none") });
  expect([lost.code, lost.json().message]).toEqual([404, `roles.${RBAC} "none" not found`]);
});

test("the mutated binding or role counts, not the sent one", async () => {
  const admission = "/apis/admissionregistration.k8s.io/v1";
  const { admin } = running;
  const mutate = async (name: string, resource: string, path: string, value: string): Promise<void> => {
    const matchConstraints = {
      resourceRules: [
        { apiGroups: [RBAC], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: [resource] },
      ],
    };
    const expression = `[JSONPatch{op: "replace", path: "${path}", value: ${value}}]`;
    const spec = {
      matchConstraints,
      matchConditions: [{ name: "marked", expression: "object.metadata.name.startsWith('mutated')" }],
      mutations: [{ patchType: "JSONPatch", jsonPatch: { expression } }],
      reinvocationPolicy: "Never",
    };
    for (const [kind, body] of [
      ["mutatingadmissionpolicies", { metadata: { name }, spec }],
      ["mutatingadmissionpolicybindings", { metadata: { name }, spec: { policyName: name } }],
    ] as const) {
      const { code, text } = await admin.call("POST", `${admission}/${kind}`, { body });
      expect(code, text).toBe(201);
    }
  };
  expect(
    (await admin.call("POST", `${HERE}/roles`, { body: role("mutated-too", [rule(["pods"], ["get"])]) })).code,
  ).toBe(201);
  await mutate("bindings", "rolebindings", "/roleRef/name", "'cluster-admin'");
  await mutate("roles", "roles", "/rules/0/verbs", "['*']");
  const harmless = binding("mutated", "ClusterRole", "view");
  const refused = await ann.call("POST", `${HERE}/rolebindings`, { body: harmless });
  expect([refused.code, refused.text.includes("attempting to grant RBAC permissions")]).toEqual([403, true]);
  const mine = await ann.call("POST", `${HERE}/roles`, { body: role("mutated", [rule(["pods"], ["get"])]) });
  expect([mine.code, mine.text.includes('Verbs:[\\"*\\"]')], mine.text).toEqual([403, true]);
  // The same in a change of a role that exists, by each kind of write.
  const path = `${HERE}/roles/mutated-too`;
  const changed = role("mutated-too", [rule(["pods"], ["list"])]);
  const writes = [
    ann.call("PUT", path, { body: changed }),
    ann.call("PATCH", path, { body: { rules: changed.rules }, type: "application/merge-patch+json" }),
    ann.call("PATCH", `${path}?fieldManager=x&force=true`, { body: changed, type: "application/apply-patch+yaml" }),
  ];
  expect((await Promise.all(writes)).map(({ code }) => code)).toEqual([403, 403, 403]);
});
