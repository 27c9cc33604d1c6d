// Gates of the proposals in a server: with one on its fields are kept, validated and in force; with it off they are unknown.

import { expect, test } from "vitest";
import { startServer } from "../testing/index.ts";

const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }];
const policy = (spec: object) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "p" },
  spec: {
    matchConstraints: { resourceRules, excludeNamespaces: ["kube-system"] },
    validations: [{ expression: "has(object.data)", name: "has-data", code: 409, message: "no data" }],
    ...spec,
  },
});
const GATES = { SingletonPolicies: true, NamespaceLists: true, NamedValidations: true, StrictTypeChecking: true };
const strict = `${POLICIES}?fieldValidation=Strict`;

test("fields of gates that are on are kept and in force", async () => {
  const server = await startServer({ gates: GATES });
  const { client } = server;
  const body = policy({ singletonPolicy: true });
  const created = await client.call("POST", strict, { body });
  expect([created.code, created.json().spec]).toMatchObject([
    201,
    { singletonPolicy: true, matchConstraints: { excludeNamespaces: ["kube-system"] } },
  ]);
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
  const denied = await client.call("POST", "/api/v1/namespaces/default/configmaps", { body: configMap });
  expect([denied.code, denied.json().message]).toEqual([
    409,
    `configmaps "c" is forbidden: ValidatingAdmissionPolicy 'p' denied request: no data`,
  ]);
  expect((await client.call("POST", "/api/v1/namespaces/kube-system/configmaps", { body: configMap })).code).toBe(201);

  const type = "application/apply-patch+yaml";
  const applied = await client.call("PATCH", `${POLICIES}/p?fieldManager=m&force=true&fieldValidation=Strict`, {
    type,
    body: { ...body, spec: { ...body.spec, validationActions: ["Warn"] } },
  });
  expect([applied.code, applied.json().spec.validationActions]).toEqual([200, ["Warn"]]);
  const patched = await client.call("PATCH", `${POLICIES}/p`, {
    type: "application/merge-patch+json",
    body: { spec: { singletonPolicy: false } },
  });
  expect([patched.code, patched.json().details.causes[0].field]).toEqual([422, "spec.validationActions"]);

  const wrong = [
    [{ singletonPolicy: "yes" }, 400, /spec\.singletonPolicy must be a boolean/],
    [{ validations: [{ expression: "true", code: 200 }] }, 422, /must be between 400 and 599/],
    [{ validations: [{ expression: "object.datum == ''" }] }, 422, /type checking failed: .*undefined field 'datum'/s],
    [
      { validations: [{ expression: "true", failurePolicy: "Ignore" }] },
      400,
      /unknown field "spec.validations\[0\].failurePolicy"/,
    ],
  ] as const;
  for (const [spec, code, message] of wrong) {
    const reply = await client.call("POST", strict, { body: { ...policy(spec), metadata: { name: "q" } } });
    expect([reply.code, reply.json().message]).toEqual([code, expect.stringMatching(message)]);
  }
  await server.close();
});

test("fields of gates that are off are unknown", async () => {
  const server = await startServer();
  const refused = await server.client.call("POST", strict, { body: policy({ singletonPolicy: true }) });
  expect([refused.code, refused.json().message]).toEqual([400, expect.stringContaining("spec.singletonPolicy")]);
  const pruned = await server.client.call("POST", POLICIES, { body: policy({ singletonPolicy: true }) });
  expect([pruned.code, pruned.json().spec.singletonPolicy]).toEqual([201, undefined]);
  await server.close();
});
