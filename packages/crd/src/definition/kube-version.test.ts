// API servers of other minors answer a definition.

import { type Minor, minorsBetween } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { admitCreate, admitDefinition } from "../admit.ts";
import { CustomResourceType } from "../resource.ts";
import { explainCosts } from "../rules/explain-cost.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { accepted, widget, widgetDefinition, withProperties } from "../widgets.testing.ts";

const text = { type: "string", maxLength: 30 };
const schemaWith = (rule: string) =>
  withProperties({ s: text, namespace: text }, { "x-kubernetes-validations": [{ rule }] });

function takers(rule: string, old?: string): Minor[] {
  const before = old === undefined ? undefined : accepted(widgetDefinition(schemaWith(old)));
  return minorsBetween("1.28", "1.36").filter(
    (kubeVersion) => admitDefinition(widgetDefinition(schemaWith(rule)), before, { kubeVersion }).allowed,
  );
}

// biome-ignore format: one rule per line
test.each([
  { rule: "self.s == ''",                 first: "1.28", stored: "1.28" },
  { rule: "isIP(self.s)",                 first: "1.31", stored: "1.30" },
  { rule: "self.namespace == ''",         first: "1.32", stored: "1.31" },
  { rule: "self.__namespace__ == ''",     first: "1.28", stored: "1.28" },
  { rule: "isSemver(self.s)",             first: "1.34", stored: "1.33" },
])("$rule: from $first on, when stored from $stored on", ({ rule, first, stored }) => {
  expect(takers(rule)).toEqual(minorsBetween(first as Minor, "1.36"));
  expect(takers(rule, rule)).toEqual(minorsBetween(stored as Minor, "1.36"));
});

test("a server evaluates functions that it has", () => {
  const definition = accepted(widgetDefinition(schemaWith("isSemver(self.s)")));
  const problems = (kubeVersion: Minor): number | undefined => {
    const version = new CustomResourceType(definition, { rules: { kubeVersion } }).version("v1")!;
    const answer = admitCreate(version, widget({ spec: { s: "1.2.3", namespace: "" } }));
    return answer.allowed ? 0 : answer.status.details?.causes?.length;
  };
  expect([problems("1.32"), problems("1.33")]).toEqual([1, 0]);
});

test("costs are those of accepted rules", () => {
  const schema = withProperties(
    { l: { type: "array", items: { type: "string" } } },
    { "x-kubernetes-validations": [{ rule: "self.l.all(x, self.l.all(y, isSemver(x + y)))" }] },
  ) as JsonSchema;
  const costs = (kubeVersion: Minor): number => explainCosts(schema, undefined, { kubeVersion }).length;
  expect([costs("1.32"), costs("1.33")]).toEqual([0, 1]);
});
