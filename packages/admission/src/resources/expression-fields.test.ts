import { expect, test } from "vitest";
import { expressionFields } from "./expression-fields.ts";

const condition = { matchConditions: [{ name: "c", expression: "c" }] };
const variables = { variables: [{ name: "v", expression: "v" }] };

// biome-ignore format: one kind per row
const cases = [
  {
    kind: "ValidatingAdmissionPolicy",
    body: {
      spec: {
        ...condition, ...variables,
        validations: [{ expression: "e", messageExpression: "m", message: "no" }, { expression: 1 }],
        auditAnnotations: [{ key: "k", valueExpression: "a" }],
        mutations: [{ jsonPatch: { expression: "no" } }],
      },
    },
    want: ["matchCondition c", "variable v", "validation e", "messageExpression m", "auditAnnotation a"],
  },
  {
    kind: "MutatingAdmissionPolicy",
    body: { spec: { ...condition, ...variables, mutations: [{ applyConfiguration: { expression: "x" } }, { jsonPatch: { expression: "y" } }] } },
    want: ["matchCondition c", "variable v", "mutation x", "mutation y"],
  },
  { kind: "ValidatingWebhookConfiguration", body: { webhooks: [condition, {}, condition] }, want: ["matchCondition c", "matchCondition c"] },
  { kind: "MutatingWebhookConfiguration",   body: { webhooks: [condition] },                want: ["matchCondition c"] },
  { kind: "ValidatingAdmissionPolicyBinding", body: { spec: condition },                    want: [] },
];
test.each(cases)("$kind", ({ kind, body, want }) => {
  const object = { apiVersion: "admissionregistration.k8s.io/v1beta1", kind, ...body };
  expect(expressionFields(object).map((expressionField) => `${expressionField.kind} ${expressionField.text}`)).toEqual(
    want,
  );
});

test("paths, and other groups", () => {
  const object = { kind: "MutatingWebhookConfiguration", webhooks: [{}, condition] };
  expect(expressionFields({ apiVersion: "admissionregistration.k8s.io/v1", ...object })).toEqual([
    { path: ["webhooks", 1, "matchConditions", 0, "expression"], text: "c", kind: "matchCondition" },
  ]);
  expect(expressionFields({ apiVersion: "example.com/v1", ...object })).toEqual([]);
});
