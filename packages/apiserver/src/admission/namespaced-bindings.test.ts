// Bindings that live in a namespace, behind their gate.

import { expect, test, vi } from "vitest";
import { LocalClient } from "../client/local-client.ts";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const bindingsIn = (namespace: string): string =>
  `/apis/policies.celadon.dev/v1/namespaces/${namespace}/namespacedvalidatingadmissionpolicybindings`;

const policy = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
    },
    validations: [{ expression: "!object.metadata.name.startsWith('bad')" }],
    ...spec,
  },
});
const binding = (name: string, spec: object = {}): object => ({
  apiVersion: "policies.celadon.dev/v1",
  kind: "NamespacedValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: "no-bad", validationActions: ["Deny"], ...spec },
});

test("a binding in a namespace applies there alone, from the next request on", async () => {
  const { server, admin } = await testServer({ gates: { NamespacedBindings: true } });
  for (const name of ["tenant", "other"])
    await admin.call("POST", "/api/v1/namespaces", { body: { metadata: { name } } });
  await admin.call("POST", POLICIES, { body: policy("no-bad") });
  const create = async (namespace: string): Promise<number> =>
    (await admin.call("POST", `${CONFIG_MAPS.replace("default", namespace)}?dryRun=All`, { body: configMap("bad") }))
      .code;
  // The server defines the kind by itself.
  await vi.waitFor(async () => expect((await admin.call("GET", bindingsIn("tenant"))).code).toBe(200), 100_000);
  expect((await admin.call("POST", bindingsIn("tenant"), { body: binding("b") })).code).toBe(201);
  expect([await create("tenant"), await create("other"), await create("default")]).toEqual([422, 201, 201]);
  // The same name in another namespace is another binding.
  expect((await admin.call("POST", bindingsIn("other"), { body: binding("b") })).code).toBe(201);
  expect((await admin.call("DELETE", `${bindingsIn("tenant")}/b`)).code).toBe(200);
  expect([await create("tenant"), await create("other")]).toEqual([201, 422]);

  const wrong = await admin.call("POST", bindingsIn("tenant"), { body: binding("wrong", { validationActions: [] }) });
  expect([wrong.code, wrong.json().message]).toEqual([
    422,
    'NamespacedValidatingAdmissionPolicyBinding.policies.celadon.dev "wrong" is invalid: spec.validationActions: Required value: at least one validation action is required',
  ]);
  await server.close();
});

test("a tenant refers to params of its namespace, and only to those it may read", async () => {
  const { server, admin } = await testServer({ gates: { NamespacedBindings: true } });
  await admin.call("POST", "/api/v1/namespaces", { body: { metadata: { name: "tenant" } } });
  const paramKind = { apiVersion: "v1", kind: "Secret" };
  await admin.call("POST", POLICIES, { body: policy("no-bad", { paramKind }) });
  await vi.waitFor(async () => expect((await admin.call("GET", bindingsIn("tenant"))).code).toBe(200), 100_000);
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/tenant";
  const rules = [
    { apiGroups: ["policies.celadon.dev"], resources: ["*"], verbs: ["*"] },
    { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
  ];
  await admin.call("POST", `${rbac}/roles`, { body: { metadata: { name: "policies" }, rules } });
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "policies" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }];
  await admin.call("POST", `${rbac}/rolebindings`, { body: { metadata: { name: "ann" }, roleRef, subjects } });
  const ann = new LocalClient(server, { username: "ann", groups: ["system:authenticated"] });
  const refer = (client: LocalClient, paramRef: object) =>
    client.call("POST", `${bindingsIn("tenant")}?dryRun=All`, { body: binding("b", { paramRef }) });
  const own = { name: "limits", parameterNotFoundAction: "Deny" };
  const refused = await refer(ann, own);
  expect(refused.code).toBe(422);
  expect(refused.json().message).toContain('does not have "get" permission on the object referenced by paramRef');
  expect((await refer(admin, own)).code).toBe(201);
  // A role in a namespace gives no right to read cluster-scoped objects.
  await admin.call("POST", POLICIES, {
    body: policy("of-cluster", { paramKind: { apiVersion: "v1", kind: "Namespace" } }),
  });
  const beyond = { policyName: "of-cluster", paramRef: own };
  const path = `${bindingsIn("tenant")}?dryRun=All`;
  expect((await ann.call("POST", path, { body: binding("b", beyond) })).code).toBe(422);
  expect((await admin.call("POST", path, { body: binding("b", beyond) })).code).toBe(201);
  const elsewhere = await refer(admin, { ...own, namespace: "kube-system" });
  expect(elsewhere.json().message).toContain("spec.paramRef.namespace: Forbidden: must be the binding's own namespace");
  await server.close();
});
