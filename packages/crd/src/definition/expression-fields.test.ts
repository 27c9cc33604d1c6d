import { expect, test } from "vitest";
import { ruleFields } from "./expression-fields.ts";

const rules = (...texts: readonly string[]) => ({ "x-kubernetes-validations": texts.map((rule) => ({ rule })) });

test("rules at any depth, outer ones first", () => {
  const openAPIV3Schema = {
    ...rules("root", "root2"),
    properties: {
      "x-kubernetes-validations": { type: "array", items: rules("items") },
      map: { additionalProperties: { properties: { deep: { ...rules("deep"), default: rules("no") } } } },
      any: { additionalProperties: true, allOf: [{ not: rules("not") }] },
    },
    example: rules("no"),
  };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    spec: { versions: [{ name: "v1" }, { name: "v2", schema: { openAPIV3Schema } }] },
  };
  const found = ruleFields(definition);
  expect(found.map(({ text }) => text)).toEqual(["root", "root2", "items", "deep", "not"]);
  expect(found[3]?.path.slice(4)).toEqual(
    "openAPIV3Schema.properties.map.additionalProperties.properties.deep.x-kubernetes-validations.0.rule"
      .split(".")
      .map((step) => (step === "0" ? 0 : step)),
  );
  expect(ruleFields({ ...definition, kind: "Other" })).toEqual([]);
});

test("messages, and the older form", () => {
  const validations = [{ rule: "r", message: "no", messageExpression: "m" }, { rule: 1 }, null];
  const found = ruleFields({
    apiVersion: "apiextensions.k8s.io/v1beta1",
    kind: "CustomResourceDefinition",
    spec: { validation: { openAPIV3Schema: { "x-kubernetes-validations": validations } } },
  });
  expect(found.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["rule r", "messageExpression m"]);
});
