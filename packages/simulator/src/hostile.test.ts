// A simulated cluster answers every input: nothing throws and nothing hangs.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster } from "./simulated/simulated-cluster.ts";

const VALUES: readonly unknown[] = [
  null,
  undefined,
  0,
  1.5,
  "",
  "text",
  true,
  [],
  [null],
  [[]],
  {},
  { __proto__: null, a: 1 },
  JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "toString": null}'),
  deep(50_000),
];

function deep(levels: number): unknown {
  let value: unknown = "end";
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? { a: value } : [value];
  return value;
}

const admission = "admissionregistration.k8s.io/v1";
const rules = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }];
const names = { plural: "widgets", kind: "Widget" };
const schema = { openAPIV3Schema: { type: "object", properties: { spec: { type: "object" } } } };
const versions = [{ name: "v1", served: true, storage: true, schema }];

// biome-ignore format: one object per line
const OBJECTS: readonly KubeObject[] = [
  { apiVersion: "v1", kind: "Pod", metadata: { name: "a", labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] }, status: {} },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "a" }, spec: { finalizers: [] } },
  { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec: { selector: { matchLabels: {}, matchExpressions: [] }, template: {} } },
  { apiVersion: admission, kind: "ValidatingAdmissionPolicy", metadata: { name: "p" }, spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: "true" }], variables: [] } },
  { apiVersion: admission, kind: "ValidatingAdmissionPolicyBinding", metadata: { name: "p" }, spec: { policyName: "p", validationActions: ["Deny"], matchResources: {}, paramRef: {} } },
  { apiVersion: admission, kind: "ValidatingWebhookConfiguration", metadata: { name: "w" }, webhooks: [{ name: "a.b.c", rules, clientConfig: { url: "https://x.y/" }, sideEffects: "None", admissionReviewVersions: ["v1"] }] },
  { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata: { name: "widgets.example.com" }, spec: { group: "example.com", scope: "Namespaced", names, versions } },
  { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: {} },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "r" }, rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }], aggregationRule: {} },
  { apiVersion: "rbac.authorization.k8s.io/v1", kind: "RoleBinding", metadata: { name: "r", namespace: "a" }, subjects: [{ kind: "User", name: "ann" }], roleRef: { kind: "ClusterRole", name: "r" } },
  { apiVersion: "policy.cert-manager.io/v1alpha1", kind: "CertificateRequestPolicy", metadata: { name: "c" }, spec: { selector: { issuerRef: {} }, allowed: { dnsNames: { values: ["*"] } }, constraints: {} } },
  { apiVersion: "cert-manager.io/v1", kind: "CertificateRequest", metadata: { name: "c" }, spec: { request: "", issuerRef: { name: "i" }, usages: [] } },
];

/** Every object with one value anywhere in it replaced. */
function* spoiled(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    for (const item of spoiled((value as Record<string, unknown>)[key], by)) {
      yield Array.isArray(value) ? [item] : { ...value, [key]: item };
    }
  }
}

const CREDENTIALS = { username: "ann", groups: ["system:authenticated"] };

test.each(OBJECTS.map((object) => [String(object.kind), object] as const))("%s", async (_, object) => {
  const others = OBJECTS.filter((kubeObject) => kubeObject !== object).map((kubeObject) => ({ object: kubeObject }));
  const rest = SimulatedCluster.of(others);
  const subject = { object: OBJECTS[0]! };
  let asked = 0;
  for (const by of VALUES) {
    for (const kubeObject of spoiled(object, by) as Generator<KubeObject>) {
      if (typeof kubeObject !== "object" || kubeObject === null) continue;
      const simulated = rest.with({ put: [{ object: kubeObject }] });
      const outcomes = [
        await simulated.review({ object: kubeObject }),
        await simulated.review({ object: kubeObject, oldObject: object, user: CREDENTIALS }),
        await simulated.review({ object, oldObject: kubeObject }),
        await simulated.review({ object: kubeObject, operation: "DELETE" }),
        await simulated.review({ object: kubeObject, subresource: "status" }),
        await simulated.review({ object: kubeObject, oldObject: object, subresource: "scale" }),
        await simulated.review(subject),
      ];
      for (const { allowed, status } of outcomes) expect(allowed).toBe(status === undefined);
      asked += outcomes.length;
    }
  }
  expect(asked).toBeGreaterThan(100);
});

test("nothing at all, and values that are no objects", async () => {
  for (const value of VALUES) {
    const object = value as KubeObject;
    await expect(SimulatedCluster.of([]).review({ object })).resolves.toMatchObject({ allowed: expect.any(Boolean) });
    await expect(SimulatedCluster.of([{ object }]).review({})).resolves.toMatchObject({ allowed: expect.any(Boolean) });
  }
});
