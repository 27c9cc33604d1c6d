// Reading documents: wrong types, unknown fields, empty fields, older versions; then defaults.

import { describe, expect, test } from "vitest";
import { withBindingDefaults, withPolicyDefaults } from "./defaults.ts";
import { binding, RULE } from "./policies.testing.ts";
import { type PolicyResourceKind, policyResourceKind, readPolicyResource, strictDecodingError } from "./read.ts";

const V1 = "admissionregistration.k8s.io/v1";
const POLICY = "ValidatingAdmissionPolicy";
const BINDING = "ValidatingAdmissionPolicyBinding";

// biome-ignore format: one case per line
test.each<readonly [kind: PolicyResourceKind, document: Record<string, unknown>, error: string]>([
  [POLICY,  { spec: { validations: "x" } },                          "cannot unmarshal string into Go struct field ValidatingAdmissionPolicySpec.spec.validations of type []v1.Validation"],
  [POLICY,  { spec: { validations: [{ expression: true }] } },       "cannot unmarshal bool into Go struct field Validation.spec.validations.expression of type string"],
  [POLICY,  { spec: { matchConstraints: { resourceRules: {} } } },   "cannot unmarshal object into Go struct field MatchResources.spec.matchConstraints.resourceRules of type []v1.NamedRuleWithOperations"],
  [POLICY,  { spec: { failurePolicy: 1 } },                          "cannot unmarshal number into Go struct field ValidatingAdmissionPolicySpec.spec.failurePolicy of type v1.FailurePolicyType"],
  [POLICY,  { metadata: { name: 1 } },                               "cannot unmarshal number into Go struct field ObjectMeta.metadata.name of type string"],
  [POLICY,  { metadata: { labels: { a: 1 } } },                      "cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string"],
  [POLICY,  { spec: { matchConstraints: "x" } },                     "cannot unmarshal string into Go struct field ValidatingAdmissionPolicySpec.spec.matchConstraints of type v1.MatchResources"],
  [POLICY,  { spec: { validations: [1], failurePolicy: 1 } },        "cannot unmarshal number into Go struct field ValidatingAdmissionPolicySpec.spec.validations of type v1.Validation"],
  [POLICY,  { status: { observedGeneration: 1.5 } },                 "cannot unmarshal number 1.5 into Go struct field ValidatingAdmissionPolicyStatus.status.observedGeneration of type int64"],
  [POLICY,  { metadata: { generation: "1" } },                       "cannot unmarshal string into Go struct field ObjectMeta.metadata.generation of type int64"],
  [BINDING, { spec: { validationActions: "Deny" } },                 "cannot unmarshal string into Go struct field ValidatingAdmissionPolicyBindingSpec.spec.validationActions of type []v1.ValidationAction"],
])("%s %j", (kind, document, error) => {
  const read = readPolicyResource({ apiVersion: V1, ...document }, kind);
  expect(read.error).toBe(`${kind} in version "v1" cannot be handled as a ${kind}: json: ${error}`);
  expect(read.resource).toBeUndefined();
});

test("unknown fields are named and dropped", () => {
  const document = { apiVersion: V1, spec: { validations: [{ expression: "true", rule: "x" }], unknown: 1 }, more: {} };
  const { resource, unknownFields } = readPolicyResource(document, POLICY);
  expect(unknownFields.map(String)).toEqual(["spec.validations[0].rule", "spec.unknown", "more"]);
  expect(resource?.spec).toEqual({ validations: [{ expression: "true" }] });
  expect(strictDecodingError(POLICY, "v1", unknownFields.slice(0, 1))).toBe(
    `${POLICY} in version "v1" cannot be handled as a ${POLICY}: strict decoding error: unknown field "spec.validations[0].rule"`,
  );
});

test("empty fields are omitted, required fields are kept", () => {
  const spec = {
    validations: [{ message: "", reason: null }, null],
    matchConditions: [],
    paramKind: null,
    matchConstraints: { resourceRules: [], namespaceSelector: { matchLabels: {} } },
  };
  const { resource } = readPolicyResource({ apiVersion: V1, spec }, POLICY);
  expect(resource).toEqual({
    apiVersion: V1,
    kind: POLICY,
    metadata: {},
    spec: { validations: [{ expression: "" }, { expression: "" }], matchConstraints: { namespaceSelector: {} } },
    status: {},
  });
});

test("names that mean something to JavaScript mean nothing here", () => {
  const document = JSON.parse(`{"apiVersion":"${V1}","__proto__":{"kind":"x"},"spec":{"constructor":1}}`) as unknown;
  expect(readPolicyResource(document, POLICY).unknownFields.map(String)).toEqual(["__proto__", "spec.constructor"]);
});

// biome-ignore format: one case per line
test.each([
  [{ apiVersion: V1, kind: POLICY }, POLICY],
  [{ apiVersion: "admissionregistration.k8s.io/v1beta1", kind: BINDING }, BINDING],
  [{ apiVersion: "admissionregistration.k8s.io/v1alpha1", kind: BINDING }, BINDING],
  [{ apiVersion: "admissionregistration.k8s.io/v2", kind: POLICY }, undefined],
  [{ apiVersion: "example.com/v1", kind: POLICY }, undefined],
  [{ apiVersion: V1, kind: "ValidatingWebhookConfiguration" }, undefined],
  ["text", undefined],
])("%j", (object, kind) => expect(policyResourceKind(object)).toBe(kind));

describe("older versions are read as v1", () => {
  const spec = { policyName: "p", paramRef: { name: "x" } };
  test.each([
    ["v1", undefined],
    ["v1beta1", undefined],
    ["v1alpha1", "Deny"],
  ])("%s", (version, action) => {
    const { resource } = readPolicyResource({ apiVersion: `admissionregistration.k8s.io/${version}`, spec }, BINDING);
    expect(resource?.apiVersion).toBe(V1);
    expect(resource?.spec.paramRef?.parameterNotFoundAction).toBe(action);
  });
});

describe("defaults", () => {
  const read = (spec: Record<string, unknown>) =>
    withPolicyDefaults(readPolicyResource({ apiVersion: V1, spec }, POLICY).resource!);

  test("of a policy", () => {
    const { spec } = read({
      matchConstraints: { resourceRules: [RULE], excludeResourceRules: [{ ...RULE, scope: "Cluster" }] },
    });
    expect(spec).toEqual({
      failurePolicy: "Fail",
      matchConstraints: {
        matchPolicy: "Equivalent",
        namespaceSelector: {},
        objectSelector: {},
        resourceRules: [{ ...RULE, scope: "*" }],
        excludeResourceRules: [{ ...RULE, scope: "Cluster" }],
      },
    });
  });

  test("only of existing fields", () => {
    expect(read({}).spec).toEqual({ failurePolicy: "Fail" });
    expect(binding().spec).toEqual({ policyName: "p", validationActions: ["Deny"] });
    expect(binding({ matchResources: {} }).spec.matchResources).toEqual({
      matchPolicy: "Equivalent",
      namespaceSelector: {},
      objectSelector: {},
    });
  });

  test("an empty value gets no default", () => {
    expect(read({ failurePolicy: "", matchConstraints: { matchPolicy: "" } }).spec).toMatchObject({
      failurePolicy: "",
      matchConstraints: { matchPolicy: "" },
    });
  });

  test("once is enough", () => {
    const once = read({ matchConstraints: { resourceRules: [RULE] } });
    expect(withPolicyDefaults(once)).toEqual(once);
    expect(withBindingDefaults(binding({ matchResources: {} }))).toEqual(binding({ matchResources: {} }));
  });
});
