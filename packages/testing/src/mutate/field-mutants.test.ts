import type { KubeObject } from "@celadon/kube";
import { describe, expect, test } from "vitest";
import { manifestsOf } from "../suite/suite.testing.ts";
import { applyEdit } from "./edit.ts";
import { mutantsOf } from "./mutant.ts";

const changes = (text: string, mutators?: readonly string[]): string[] => {
  const [manifest] = manifestsOf(text, "a.yaml");
  return mutantsOf(manifest!, { messages: true, annotations: true })
    .mutants.filter(({ expression, mutator }) => expression === undefined && (mutators?.includes(mutator) ?? true))
    .map(
      ({ mutator, original, mutated, place }) => `${place?.line}:${place?.column} ${mutator} ${original} → ${mutated}`,
    );
};

describe("fields of", () => {
  test("a policy", () => {
    const text = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  failurePolicy: Ignore
  matchConstraints:
    resourceRules:
    - { apiGroups: [""], apiVersions: [v1], resources: [pods, pods/status], operations: [CREATE] }
    excludeResourceRules:
    - { apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE], resourceNames: [a] }
    objectSelector: { matchLabels: { a: b }, matchExpressions: [{ key: c, operator: Exists }] }
  matchConditions: [{ name: c, expression: "true" }]
  validations: [{ expression: "true", messageExpression: "'a'" }]
`;
    expect(changes(text)).toEqual([
      "14:17 validation-dropped validations: true → ",
      "13:21 condition-dropped matchConditions: true → ",
      '9:7 rule-dropped resourceRules: {"apiGroups":[""],"apiVersions":["v1"],"resources":["pods","pods/status"],"operations":["CREATE"]} → ',
      '9:57 rule-narrowed resources: "pods" → ',
      '9:63 rule-narrowed resources: "pods/status" → ',
      '11:7 exclusion-dropped excludeResourceRules: {"apiGroups":[""],"apiVersions":["v1"],"resources":["pods"],"operations":["CREATE"],"resourceNames":["a"]} → ',
      '12:36 selector-dropped matchLabels: {"a":"b"} → ',
      '12:64 selector-dropped matchExpressions: [{"key":"c","operator":"Exists"}] → ',
      '12:85 selector-negated operator: "Exists" → operator: "DoesNotExist"',
      '6:18 failure-policy failurePolicy: "Ignore" → failurePolicy: "Fail"',
      "14:58 message-dropped messageExpression: \"'a'\" → ",
    ]);
  });

  test("a binding", () => {
    const text = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec:
  policyName: p
  validationActions: [Deny, Audit]
  paramRef: { name: a, parameterNotFoundAction: Allow }
  matchResources: { namespaceSelector: { matchLabels: { a: b } } }
`;
    expect(changes(text)).toEqual([
      "2:1 binding-dropped b → ",
      '7:23 action-changed validationActions: "Deny" → validationActions: "Warn"',
      '7:29 action-changed validationActions: "Audit" → validationActions: "Warn"',
      '7:23 action-dropped validationActions: "Deny" → ',
      '7:29 action-dropped validationActions: "Audit" → ',
      '8:49 params-not-found parameterNotFoundAction: "Allow" → parameterNotFoundAction: "Deny"',
      '9:40 selector-dropped namespaceSelector: {"matchLabels":{"a":"b"}} → ',
    ]);
  });

  test("a definition, of versions that are served", () => {
    const version = (name: string, served: boolean): string => `
  - name: ${name}
    served: ${served}
    storage: ${served}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          a: { type: string, enum: [x, z], maxLength: 3, pattern: "^x" }
          b: { type: array, maxItems: 2, items: { type: integer, minimum: 1 } }
        required: [a, b]
        x-kubernetes-validations: [{ rule: "true", optionalOldSelf: true }]`;
    const text = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: d }
spec:
  versions:${version("v1", true)}${version("v2", false)}
`;
    expect(changes(text)).toEqual([
      "16:36 rule-dropped x-kubernetes-validations: true → ",
      "16:69 old-self-changed optionalOldSelf: true → optionalOldSelf: false",
      '15:20 required-dropped required: "a" → ',
      '15:23 required-dropped required: "b" → ',
      "13:55 bound-shifted maxLength: 3 → maxLength: 4",
      "13:55 bound-shifted maxLength: 3 → maxLength: 2",
      '13:67 pattern-dropped pattern: "^x" → ',
      '13:37 enum-narrowed enum: "x" → ',
      '13:40 enum-narrowed enum: "z" → ',
      "14:39 bound-shifted maxItems: 2 → maxItems: 3",
      "14:39 bound-shifted maxItems: 2 → maxItems: 1",
      "14:75 bound-shifted minimum: 1 → minimum: 2",
      "14:75 bound-shifted minimum: 1 → minimum: 0",
    ]);
  });

  test("a certificate policy", () => {
    const text = `
apiVersion: policy.cert-manager.io/v1alpha1
kind: CertificateRequestPolicy
metadata: { name: c }
spec:
  selector: { issuerRef: { name: a, kind: Issuer } }
  allowed:
    isCA: false
    commonName: { value: "*", required: true }
    dnsNames: { values: [a, b], validations: [{ rule: "true" }] }
    usages: [signing]
  constraints: { maxDuration: 1h, privateKey: { algorithm: RSA, minSize: 2048 } }
`;
    expect(changes(text)).toEqual([
      "10:47 rule-dropped validations: true → ",
      '10:26 allowed-narrowed values: "a" → ',
      '10:29 allowed-narrowed values: "b" → ',
      '11:13 allowed-narrowed usages: ["signing"] → ',
      '9:26 allowed-narrowed value: "*" → ',
      "9:41 required-dropped required: true → required: false",
      "8:11 ca-changed isCA: false → isCA: true",
      '12:31 constraint-dropped maxDuration: "1h" → ',
      '12:60 constraint-dropped algorithm: "RSA" → ',
      "12:74 bound-shifted minSize: 2048 → minSize: 2049",
      "12:74 bound-shifted minSize: 2048 → minSize: 2047",
      '6:34 selector-dropped name: "a" → ',
      '6:43 selector-dropped kind: "Issuer" → ',
    ]);
  });
});

// biome-ignore format: one edit per line
test.each([
  { path: ["a", "b"],      value: 1,         want: { a: { b: 1 }, l: [1, 2] } },
  { path: ["a"],           value: undefined, want: { l: [1, 2] } },
  { path: ["l", 0],        value: undefined, want: { a: { b: 0 }, l: [2] } },
  { path: ["l", 1],        value: 5,         want: { a: { b: 0 }, l: [1, 5] } },
  { path: ["x", "y"],      value: 1,         want: { a: { b: 0 }, l: [1, 2], x: { y: 1 } } },
  { path: ["x"],           value: undefined, want: { a: { b: 0 }, l: [1, 2] } },
  { path: [],              value: undefined, want: undefined },
])("edit $path $value", ({ path, value, want }) => {
  const object = { a: { b: 0 }, l: [1, 2] };
  expect(applyEdit(object as unknown as KubeObject, value === undefined ? { path } : { path, value })).toEqual(want);
  expect(object).toEqual({ a: { b: 0 }, l: [1, 2] });
});

test("keys from outside are keys", () => {
  const edited = applyEdit({} as KubeObject, { path: ["__proto__"], value: { a: 1 } });
  expect(Object.hasOwn(edited!, "__proto__")).toBe(true);
  expect((edited as { a?: unknown }).a).toBeUndefined();
});
