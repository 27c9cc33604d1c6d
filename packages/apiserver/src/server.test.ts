// The whole server as a client sees it: each write is in force for the next request.

import { expect, test } from "vitest";
import { LocalClient } from "./client/local-client.ts";
import { CONFIG_MAPS, configMap, testServer } from "./server.testing.ts";

const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const MERGE = "application/merge-patch+json";

const until = async (isTrue: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < 500 && !(await isTrue()); i++) await new Promise((resolve) => setTimeout(resolve, 10));
};

const widgets = (rule: string): Record<string, unknown> => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget", shortNames: ["wd"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" } },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { size: { type: "integer", default: 1 }, note: { type: "string" } },
                "x-kubernetes-validations": [{ rule, message: "too large" }],
              },
              status: { type: "object", properties: { size: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
});

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
const widget = (name: string, spec: unknown): unknown => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  spec,
});

test("a definition serves its kind at once, with schema, rules and subresources", async () => {
  const { admin, server } = await testServer();
  expect((await admin.call("GET", WIDGETS)).code).toBe(404);
  expect((await admin.call("POST", DEFINITIONS, { body: widgets("self.size <= 5") })).code).toBe(201);
  const created = await admin.call("POST", WIDGETS, { body: widget("w", { note: "x", unknown: 1 }) });
  expect([created.code, created.json().spec, created.warnings]).toEqual([
    201,
    { note: "x", size: 1 },
    ['unknown field "spec.unknown"'],
  ]);
  const refused = await admin.call("PATCH", `${WIDGETS}/w`, { type: MERGE, body: { spec: { size: 6 } } });
  expect(refused.json()).toMatchObject({
    code: 422,
    message: 'Widget.example.com "w" is invalid: spec: Invalid value: too large',
  });
  const scaled = await admin.call("PATCH", `${WIDGETS}/w/scale`, { type: MERGE, body: { spec: { replicas: 4 } } });
  expect(scaled.json()).toMatchObject({ kind: "Scale", spec: { replicas: 4 } });
  const status = await admin.call("PATCH", `${WIDGETS}/w/status`, {
    type: MERGE,
    body: { spec: { size: 2 }, status: { size: 4 } },
  });
  expect(status.json()).toMatchObject({ spec: { size: 4 }, status: { size: 4 }, metadata: { generation: 2 } });

  await until(async () =>
    JSON.stringify((await admin.call("GET", `${DEFINITIONS}/widgets.example.com`)).json().status).includes(
      "Established",
    ),
  );
  const { conditions, acceptedNames } = (await admin.call("GET", `${DEFINITIONS}/widgets.example.com`)).json().status;
  expect(conditions.map(({ type, status }: { type: string; status: string }) => `${type}=${status}`)).toEqual([
    "NamesAccepted=True",
    "Established=True",
  ]);
  expect(acceptedNames).toEqual({
    plural: "widgets",
    singular: "widget",
    shortNames: ["wd"],
    kind: "Widget",
    listKind: "WidgetList",
  });

  await admin.call("DELETE", `${DEFINITIONS}/widgets.example.com`);
  await until(async () => (await admin.call("GET", `${DEFINITIONS}/widgets.example.com`)).code === 404);
  expect((await admin.call("GET", WIDGETS)).code).toBe(404);
  await admin.call("POST", DEFINITIONS, { body: widgets("true") });
  expect((await admin.call("GET", WIDGETS)).json().items).toEqual([]);
  await server.close();
});

test("a policy and its binding decide the next request", async () => {
  const { admin, server } = await testServer();
  const body = configMap("a", { data: { mode: "wild" } });
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "tame" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "object == null || object.data.mode != 'wild'", message: "no wild mode" }],
    },
  };
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "tame" },
    spec: { policyName: "tame", validationActions: ["Deny"] },
  };
  expect((await admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body })).code).toBe(201);
  await admin.call("POST", `${ADMISSION}/validatingadmissionpolicies`, { body: policy });
  await admin.call("POST", `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding });
  expect((await admin.call("POST", CONFIG_MAPS, { body })).json()).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'tame' with binding 'tame' denied request: no wild mode`,
  });
  await admin.call("DELETE", `${ADMISSION}/validatingadmissionpolicybindings/tame`);
  expect((await admin.call("POST", CONFIG_MAPS, { body })).code).toBe(201);
  const read = async () => (await admin.call("GET", `${ADMISSION}/validatingadmissionpolicies/tame`)).json();
  await until(async () => (await read()).status?.observedGeneration === 1);
  expect((await read()).status).toEqual({ observedGeneration: 1, typeChecking: {} });
  await server.close();
});

test("roles decide who may do what, and as whom", async () => {
  const { admin, server } = await testServer();
  const jane = new LocalClient(server, { username: "jane", groups: [] });
  const as = (user: string) => ({ headers: { "impersonate-user": user, "impersonate-group": ["a", "b,c"] } });
  expect((await jane.call("GET", CONFIG_MAPS)).json()).toMatchObject({
    code: 403,
    message:
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
  });
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "reader" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }],
  };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" };
  const subjects = [
    { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "b,c" },
    { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" },
  ];
  await admin.call("POST", `${RBAC}/namespaces/default/roles`, { body: role });
  await admin.call("POST", `${RBAC}/namespaces/default/rolebindings`, {
    body: { apiVersion: role.apiVersion, kind: "RoleBinding", metadata: { name: "reader" }, roleRef, subjects },
  });
  expect((await jane.call("GET", CONFIG_MAPS)).code).toBe(200);
  expect((await jane.call("GET", `${CONFIG_MAPS}/a`)).code).toBe(403);
  expect((await admin.call("GET", CONFIG_MAPS, as("joe"))).code).toBe(200);
  expect((await admin.call("GET", `${CONFIG_MAPS}/a`, as("joe"))).code).toBe(403);
  expect((await jane.call("GET", CONFIG_MAPS, as("joe"))).json().message).toBe(
    'configmaps is forbidden: User "jane" cannot impersonate-on:user-info:list resource "configmaps" in API group "" in the namespace "default"',
  );
  const review = {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: { verb: "list", resource: "configmaps", namespace: "default" } },
  };
  await admin.call("POST", `${RBAC}/clusterroles`, {
    body: {
      ...role,
      kind: "ClusterRole",
      metadata: { name: "asker" },
      rules: [{ apiGroups: ["authorization.k8s.io"], resources: ["*"], verbs: ["create"] }],
    },
  });
  await admin.call("POST", `${RBAC}/clusterrolebindings`, {
    body: {
      apiVersion: role.apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name: "asker" },
      roleRef: { ...roleRef, kind: "ClusterRole", name: "asker" },
      subjects,
    },
  });
  const { status } = (
    await jane.call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", { body: review })
  ).json();
  expect(status).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "reader/default" of Role "reader" to User "jane"',
  });
  await server.close();
});

test("nobody is let in without proof", async () => {
  const { server } = await testServer();
  const nobody = new LocalClient(server, undefined);
  for (const headers of [
    {},
    { authorization: "Bearer x" },
    { authorization: "Basic eDp5" },
    { authorization: "Bearer a.b.c" },
  ]) {
    expect((await nobody.call("GET", "/api/v1/namespaces", { headers })).json()).toMatchObject({
      code: 401,
      reason: "Unauthorized",
    });
  }
  await server.close();
});

test("a service account's token is good while the account exists", async () => {
  const { admin, server } = await testServer();
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await admin.call("POST", accounts, {
    body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } },
  });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } };
  const { token } = (await admin.call("POST", `${accounts}/robot/token`, { body })).json().status;
  const robot = new LocalClient(server, undefined);
  const headers = { authorization: `Bearer ${token}` };
  const who = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
  expect(
    (await admin.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { body: review })).json().status,
  ).toMatchObject({
    authenticated: true,
    user: {
      username: "system:serviceaccount:default:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
    },
  });
  expect(
    (await robot.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { headers, body: who })).code,
  ).toBe(201);
  // A token is reviewed like an Authorization header: text behind it does not count, and a blank one is no error.
  for (const [sent, want] of [
    [`${token} `, { authenticated: true }],
    [` ${token}`, { user: {} }],
    ["  ", { user: {} }],
    ["x", { user: {}, error: "invalid bearer token" }],
  ] as const) {
    const body = { ...review, spec: { token: sent } };
    const { status } = (await admin.call("POST", "/apis/authentication.k8s.io/v1/tokenreviews", { body })).json();
    expect(status).toMatchObject(want);
  }
  const spaced = { authorization: `Bearer  ${token}` };
  expect(await robot.call("GET", "/api/v1/namespaces/default", { headers: spaced })).toMatchObject({
    code: 401,
    warnings: ["the provided Authorization header contains extra space before the bearer token, and is ignored"],
  });
  await admin.call("DELETE", `${accounts}/robot`);
  expect(
    (await robot.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { headers, body: who })).code,
  ).toBe(401);
  await server.close();
});

test("a namespace goes with everything in it", async () => {
  const { admin, server } = await testServer();
  const path = "/api/v1/namespaces/short";
  expect((await admin.call("POST", `${path}/configmaps`, { body: configMap("a") })).json().message).toBe(
    'namespaces "short" not found',
  );
  await admin.call("POST", "/api/v1/namespaces", {
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "short" } },
  });
  const held = configMap("held", { metadata: { finalizers: ["example.com/hold"] } });
  for (const body of [configMap("a"), held]) await admin.call("POST", `${path}/configmaps`, { body });
  const deleted = (await admin.call("DELETE", path)).json();
  expect(deleted).toMatchObject({ kind: "Namespace", status: { phase: "Terminating" } });
  expect((await admin.call("POST", `${path}/configmaps`, { body: configMap("b") })).json()).toMatchObject({
    code: 403,
    details: { causes: [{ reason: "NamespaceTerminating" }] },
  });
  await until(async () => (await admin.call("GET", `${path}/configmaps/a`)).code === 404);
  expect((await admin.call("GET", path)).code).toBe(200);
  await admin.call("PATCH", `${path}/configmaps/held`, { type: MERGE, body: { metadata: { finalizers: null } } });
  await until(async () => (await admin.call("GET", path)).code === 404);
  expect((await admin.call("GET", path)).code).toBe(404);
  expect((await admin.call("DELETE", "/api/v1/namespaces/default")).json().message).toBe(
    'namespaces "default" is forbidden: this namespace may not be deleted',
  );
  await server.close();
});

test("policies take effect later if a lag is configured", async () => {
  const { admin, server } = await testServer({ policyLag: 150 });
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "never" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "false" }],
    },
  };
  const binding = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "never" },
    spec: { policyName: "never", validationActions: ["Deny"] },
  };
  await admin.call("POST", `${ADMISSION}/validatingadmissionpolicies`, { body: policy });
  await admin.call("POST", `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding });
  const create = (): Promise<number> =>
    admin.call("POST", `${CONFIG_MAPS}?dryRun=All`, { body: configMap("a") }).then(({ code }) => code);
  expect(await create()).toBe(201);
  await until(async () => (await create()) === 422);
  expect(await create()).toBe(422);
  await server.close();
});

test("answers name the flow schema of a request", async () => {
  const { admin, server } = await testServer({ authorization: "AlwaysAllow" });
  const bob = new LocalClient(server, { username: "bob", groups: ["system:authenticated"] });
  const flow = "/apis/flowcontrol.apiserver.k8s.io/v1";
  const apiVersion = "flowcontrol.apiserver.k8s.io/v1";
  const level = await admin.call("POST", `${flow}/prioritylevelconfigurations`, {
    body: {
      apiVersion,
      kind: "PriorityLevelConfiguration",
      metadata: { name: "slow" },
      spec: { type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } } },
    },
  });
  const schema = (name: string, matchingPrecedence: number, verbs: readonly string[]) => ({
    apiVersion,
    kind: "FlowSchema",
    metadata: { name },
    spec: {
      matchingPrecedence,
      priorityLevelConfiguration: { name: "slow" },
      rules: [
        {
          subjects: [{ kind: "Group", group: { name: "system:authenticated" } }],
          resourceRules: [{ verbs, apiGroups: [""], resources: ["configmaps"], namespaces: ["default"] }],
          nonResourceRules: [{ verbs, nonResourceURLs: ["/openid/*"] }],
        },
      ],
    },
  });
  const uid = async (name: string, precedence: number, verbs: readonly string[]): Promise<string> =>
    (await admin.call("POST", `${flow}/flowschemas`, { body: schema(name, precedence, verbs) })).json().metadata.uid;
  const [all, lists] = [await uid("all", 500, ["*"]), await uid("lists", 100, ["list"])];
  await until(async () => {
    const { status } = (await admin.call("GET", `${flow}/flowschemas/all`)).json();
    return status?.conditions?.[0]?.reason === "Found";
  });
  const { conditions } = (await admin.call("GET", `${flow}/flowschemas/all`)).json().status;
  expect(conditions).toMatchObject([{ type: "Dangling", status: "False", reason: "Found" }]);
  const schemaOf = async (url: string) => (await bob.call("GET", url)).headers["x-kubernetes-pf-flowschema-uid"];
  expect(await schemaOf(CONFIG_MAPS)).toBe(lists);
  expect(await schemaOf(`${CONFIG_MAPS}/none`)).toBe(all);
  expect(await schemaOf("/openid/v1/jwks")).toBe(all);
  const suggested = (await admin.call("GET", `${flow}/flowschemas/global-default`)).json().metadata.uid;
  expect(await schemaOf("/api/v1/configmaps")).toBe(suggested);
  const metrics = (await admin.call("GET", "/metrics")).text;
  expect(metrics).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="slow"} 3');
  expect(metrics).toContain(
    'apiserver_flowcontrol_dispatched_requests_total{flow_schema="lists",priority_level="slow"} 1',
  );
  const { headers } = await bob.call("GET", CONFIG_MAPS);
  expect(headers["x-kubernetes-pf-prioritylevel-uid"]).toBe(level.json().metadata.uid);
  await server.close();
});
