// Policies, webhook configurations and definitions: expressions to compile, rules, schemas.

import { asJson, type Cases, DRY, definition, members, meta, POLICIES, policy, repeat } from "../samples.ts";

export const policiesCases: Cases = {
  "policy variables": (s) =>
    policy({
      variables: repeat(Math.min(800, s / 50), (i) => ({ name: `v${i}`, expression: i ? `variables.v${i - 1}` : "1" })),
      validations: [{ expression: `variables.v${Math.min(800, s / 50) - 1} == 1` }],
    }),
  "policy variables many": (s) =>
    policy({
      variables: repeat(s / 55, (i) => ({ name: `v${i}`, expression: i ? `variables.v${i - 1}` : "1" })),
      validations: [{ expression: `variables.v0 == 1` }],
    }),
  "policy validations": (s) =>
    policy({ validations: repeat(s / 50, () => ({ expression: 'object.metadata.name != "a"' })) }),
  "policy validations real": (s) => ({
    ...policy({ validations: repeat(s / 50, () => ({ expression: 'object.metadata.name != "a"' })) }),
    path: POLICIES,
  }),
  "policy errors": (s) => policy({ validations: repeat(s / 30, () => ({ expression: "obj.a" })) }),
  "policy long": (s) => policy({ validations: [{ expression: `${repeat(s / 3, () => "1").join("+")}==1` }] }),
  "policy list": (s) => policy({ validations: [{ expression: `[${repeat(s / 2, () => "1").join(",")}].size()==1` }] }),
  "policy parens": (s) => policy({ validations: [{ expression: `${"(".repeat(s / 2)}1${")".repeat(s / 2)}` }] }),
  "policy macros": (s) =>
    policy({
      validations: [
        {
          expression:
            repeat(7, (i) => `[1].all(x${i},`).join("") + repeat(s / 10, () => "x0==1").join("&&") + ")".repeat(7),
        },
      ],
    }),
  "policy bad chars": (s) => policy({ validations: [{ expression: "~".repeat(s) }] }),
  "policy regex": (s) => policy({ validations: [{ expression: `"a".matches("${"a?".repeat(s / 2)}")` }] }),
  "policy rules": (s) => ({
    method: "POST",
    path: POLICIES + DRY,
    body: asJson({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: meta(),
      spec: {
        matchConstraints: {
          resourceRules: repeat(s / 100, (i) => ({
            apiGroups: [`a${i}`],
            apiVersions: ["*"],
            operations: ["*"],
            resources: ["*"],
          })),
        },
        validations: [{ expression: "true" }],
      },
    }),
  }),
  "policy resources": (s) => ({
    method: "POST",
    path: POLICIES + DRY,
    body: asJson({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: meta(),
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["a"], apiVersions: ["*"], operations: ["*"], resources: repeat(s / 10, (i) => `r${i}`) },
          ],
        },
        validations: [{ expression: "true" }],
      },
    }),
  }),
  "policy resources bad": (s) => ({
    method: "POST",
    path: POLICIES + DRY,
    body: asJson({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: meta(),
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["a"], apiVersions: ["*"], operations: ["*"], resources: repeat(s / 10, () => "a/*") },
          ],
        },
        validations: [{ expression: "true" }],
      },
    }),
  }),
  webhooks: (s) => ({
    method: "POST",
    path: `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations${DRY}`,
    body: asJson({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: meta(),
      webhooks: repeat(s / 220, (i) => ({
        name: `a${i}.b.c`,
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { url: "https://a" },
        matchConditions: [{ name: "a", expression: 'object.metadata.name=="a"' }],
        rules: [],
      })),
    }),
  }),
  "webhook conditions": (s) => ({
    method: "POST",
    path: `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations${DRY}`,
    body: asJson({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: meta(),
      webhooks: [
        {
          name: `a.b.c`,
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: "https://a" },
          matchConditions: repeat(s / 60, (i) => ({ name: `a${i}`, expression: 'object.metadata.name=="a"' })),
          rules: [],
        },
      ],
    }),
  }),
  "crd props": (s) =>
    definition({
      properties: { spec: { type: "object", properties: members(s / 26, (i) => [`p${i}`, { type: "string" }]) } },
    }),
  "crd required": (s) =>
    definition({ properties: { spec: { type: "object", required: repeat(s / 8, (i) => `p${i}`) } } }),
  "crd enum": (s) => definition({ properties: { spec: { type: "string", enum: repeat(s / 8, (i) => `p${i}`) } } }),
  "crd enum dup": (s) => definition({ properties: { spec: { type: "string", enum: repeat(s / 4, () => "p") } } }),
  "crd rules": (s) =>
    definition({
      properties: {
        spec: {
          type: "object",
          properties: { a: { type: "integer" } },
          "x-kubernetes-validations": repeat(s / 30, (i) => ({ rule: `self.a > ${i}` })),
        },
      },
    }),
  "crd rules bad": (s) =>
    definition({
      properties: {
        spec: {
          type: "object",
          properties: { a: { type: "integer" } },
          "x-kubernetes-validations": repeat(s / 24, () => ({ rule: "sel.a" })),
        },
      },
    }),
  "crd rules wide": (s) =>
    definition({
      properties: members(s / 90, (i) => [
        `p${i}`,
        { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] },
      ]),
    }),
  "crd rules wide self": (s) =>
    definition({
      properties: members(s / 60, (i) => [`p${i}`, { type: "integer" }]),
      "x-kubernetes-validations": repeat(s / 60, (i) => ({ rule: `self.p0 > ${i}` })),
    }),
  "crd deep": (s) => ({
    ...definition({ properties: { spec: "@@" } }),
    body: definition({ properties: { spec: "@@" } }).body.replace(
      '"@@"',
      '{"type":"object","properties":{"a":'.repeat(Math.min(s / 40, 400)) +
        '{"type":"string"}' +
        "}}".repeat(Math.min(s / 40, 400)),
    ),
  }),
  "crd bad types": (s) => definition({ properties: members(s / 20, (i) => [`p${i}`, { type: "x" }]) }),
  "crd allOf": (s) =>
    definition({ properties: { spec: { type: "string", allOf: repeat(s / 14, () => ({ minLength: 1 })) } } }),
  "crd nested allOf": (s) =>
    definition({
      properties: {
        spec: {
          type: "object",
          properties: { a: { type: "string" } },
          allOf: repeat(s / 60, () => ({ properties: { a: { minLength: 1 } } })),
        },
      },
    }),
  "crd versions": (s) => ({
    method: "POST",
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions${DRY}`,
    body: asJson({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "foos.example.org" },
      spec: {
        group: "example.org",
        scope: "Namespaced",
        names: { plural: "foos", kind: "Foo", singular: "foo" },
        versions: repeat(s / 100, (i) => ({
          name: `v${i}`,
          served: true,
          storage: i === 0,
          schema: { openAPIV3Schema: { type: "object" } },
        })),
      },
    }),
  }),
  "crd columns": (s) => ({
    method: "POST",
    path: `/apis/apiextensions.k8s.io/v1/customresourcedefinitions${DRY}`,
    body: asJson({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "foos.example.org" },
      spec: {
        group: "example.org",
        scope: "Namespaced",
        names: { plural: "foos", kind: "Foo", singular: "foo", shortNames: repeat(s / 20, (i) => `v${i}`) },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            additionalPrinterColumns: repeat(s / 60, () => ({ name: "a", type: "string", jsonPath: ".a" })),
            schema: { openAPIV3Schema: { type: "object" } },
          },
        ],
      },
    }),
  }),
  "crd default": (s) =>
    definition({
      properties: { spec: { type: "array", items: { type: "string" }, default: repeat(s / 4, () => "x") } },
    }),
};
