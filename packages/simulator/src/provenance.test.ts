// The origins of problems: the field, the rule and the expression, for any text.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import { SimulatedCluster, type SimulatedClusterOptions } from "./simulated/simulated-cluster.ts";

const definition = (schema: object, more: object = {}): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more }],
  },
});
const widget = (spec: unknown): KubeObject => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name: "w" },
  spec,
});
const ask = (definition: KubeObject, object: KubeObject, options: SimulatedClusterOptions = {}) =>
  SimulatedCluster.of([{ object: definition }], options).review({ object });

const RULES = ["spec", "versions", 0, "schema", "openAPIV3Schema", "properties", "spec", "x-kubernetes-validations"];

test("a rule that is false, and a budget that does not suffice for a later one", async () => {
  const costly = (n: number): object => ({
    rule: `self.a.all(x, self.a.all(y, x + y >= 0)) || self.a.size() < -${n}`,
  });
  const schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { a: { type: "array", items: { type: "integer" }, maxItems: 400 } },
        "x-kubernetes-validations": [
          { rule: "self.a.size() < 3", message: "too many" },
          ...Array.from({ length: 16 }, (_, n) => costly(n)),
        ],
      },
    },
  };
  const { problems } = await ask(definition(schema), widget({ a: Array.from({ length: 340 }, (_, i) => i) }));
  expect(problems.map(({ system, by, path, message }) => ({ system, path, by: by?.path, message }))).toEqual([
    {
      system: "rules",
      path: ["spec"],
      by: [...RULES, 0, "rule"],
      message: "spec: Invalid value: too many",
    },
    {
      system: "rules",
      path: ["spec"],
      by: [...RULES, expect.any(Number), "rule"],
      message: expect.stringContaining("running out of cost budget"),
    },
  ]);
  expect(problems[1]?.by?.path).not.toEqual(problems[0]?.by?.path);
  expect(problems.map(({ by }) => by?.error)).toEqual([false, true]);
});

test("names with quotes, dots and brackets", async () => {
  const schema = { type: "object", properties: { spec: { type: "object", properties: {} } } };
  const { problems } = await ask(definition(schema), widget({ 'od"d': 1, "a.b[0]": 2 }));
  expect(problems.map(({ path, key }) => [path, key])).toEqual([
    [["spec", "a.b[0]"], true],
    [["spec", 'od"d'], true],
  ]);
});

test("values below keys that look like steps", async () => {
  const values = { type: "object", additionalProperties: { type: "object", properties: { n: { type: "integer" } } } };
  const schema = { type: "object", properties: { spec: values } };
  const { problems } = await ask(definition(schema), widget({ "a.b": { n: "x" } }));
  expect(problems[0]).toMatchObject({ path: ["spec", "a.b", "n"], value: "x" });
});

test("errors of fields that all versions share are placed in the first version", () => {
  const schema = { type: "object", properties: { spec: { type: "object" } } };
  const object = definition(schema, {
    selectableFields: [{ jsonPath: ".spec.color" }],
    additionalPrinterColumns: [{ name: "", type: "string", jsonPath: "x" }],
  });
  const { errors } = SimulatedCluster.of([]).accepted(object)!;
  expect(errors.map(({ path }) => [path.toString(), path.steps])).toEqual([
    ["spec.additionalPrinterColumns[0].name", ["spec", "versions", 0, "additionalPrinterColumns", 0, "name"]],
    ["spec.additionalPrinterColumns[0].JSONPath", ["spec", "versions", 0, "additionalPrinterColumns", 0, "jsonPath"]],
    ["spec.selectableFields[0].jsonPath", ["spec", "versions", 0, "selectableFields", 0, "jsonPath"]],
  ]);
});

test("the issue of an expression, and its place", () => {
  const policy = (expression: string): KubeObject => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      matchConditions: [{ name: "c", expression }],
      validations: [{ expression: "true" }],
    },
  });
  const issuesOf = (expression: string): unknown[] =>
    SimulatedCluster.of([])
      .accepted(policy(expression))!
      .errors.map(({ expression }) => expression);
  const steps = ["spec", "matchConditions", 0, "expression"];
  // White space around a condition is not compiled, and counted apart.
  expect(issuesOf("\n  objct.x")).toEqual([
    {
      steps,
      text: "objct.x",
      offset: 3,
      issues: [
        expect.objectContaining({ code: "undeclared_reference", name: "objct", span: { start: 0, end: 5, at: 0 } }),
      ],
    },
  ]);
  expect(issuesOf("1 + 1")).toEqual([
    { steps, text: "1 + 1", offset: 0, issues: [expect.objectContaining({ code: "wrong_result_type" })] },
  ]);
});
