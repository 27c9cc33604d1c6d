import { expect, test } from "vitest";
import { createSchemas } from "../../memory/index.ts";
import type { ValidatingAdmissionPolicy } from "../../policy.ts";
import { estimateExpressions } from "./estimate-expressions.ts";

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              short: { type: "array", maxItems: 10, items: { type: "integer" } },
              long: { type: "array", items: { type: "integer" } },
              text: { type: "string", maxLength: 100 },
            },
          },
        },
      },
    ],
  },
};

const policy = (expression: string, resources: readonly string[] = ["widgets"]): ValidatingAdmissionPolicy =>
  ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources }],
      },
      validations: [{ expression }],
    },
  }) as unknown as ValidatingAdmissionPolicy;

const estimate = (given: ValidatingAdmissionPolicy): ReturnType<typeof estimateExpressions> =>
  estimateExpressions(given, createSchemas({ definitions: [widgets] }));

// biome-ignore format: one case per line
const cases = [
  { expression: "true",                            min: 0n, max: 0n },
  { expression: "object.short.size() > 1",         min: 4n, max: 4n },
  { expression: "object.short.all(i, i > 1)",      min: 3n, max: 53n },
  { expression: "oldObject.short.all(i, i > 1)",   min: 3n, max: 53n },
  { expression: "object.text.contains('x')",       min: 2n, max: 42n },
];
test.each(cases)("$expression", async ({ expression, min, max }) => {
  const [only, ...others] = await estimate(policy(expression));
  expect(others).toEqual([]);
  expect(only).toMatchObject({
    path: ["spec", "validations", 0, "expression"],
    kind: { kind: "Widget" },
    cost: { min, max },
  });
});

test("without a limit, by the largest request there is", async () => {
  const [only] = await estimate(policy("object.long.all(i, i > 1)"));
  expect(only!.cost.max).toBeGreaterThan(1_000_000n);
});

test("nothing of what does not fit, or of kinds that are not known", async () => {
  expect(await estimate(policy("object.nothing == 1"))).toEqual([]);
  expect(await estimate(policy("object.text == ''", ["gadgets"]))).toEqual([]);
});
