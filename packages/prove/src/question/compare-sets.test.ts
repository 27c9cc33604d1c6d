// Two sets of policies and statements about one: every relation, with requests that show it.

import type { KubeObject } from "@celadon/kube";
import { SimulatedCluster } from "@celadon/simulator";
import { expect, test } from "vitest";
import { compareSets, proveThat } from "./compare-sets.ts";
import { statementError } from "./statement.ts";

interface Given {
  readonly validations?: readonly string[];
  readonly operations?: readonly string[];
  readonly policy?: object;
  readonly binding?: object;
}

function cluster({ validations = [], operations = ["CREATE"], policy = {}, binding = {} }: Given): SimulatedCluster {
  const resourceRules = [{ apiGroups: ["apps"], apiVersions: ["v1"], operations, resources: ["deployments"] }];
  return SimulatedCluster.of([
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: {
        matchConstraints: { resourceRules },
        validations: validations.map((expression) => ({ expression })),
        ...policy,
      },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Deny"], ...binding },
    },
  ] as unknown as KubeObject[]);
}

const FEW = "object.spec.replicas <= 5";
const TEAM = "has(object.metadata.labels) && 'team' in object.metadata.labels";
const UNSAFE = "object.metadata.labels.team != ''";

// biome-ignore format: one pair per line
const PAIRS: readonly (readonly [about: string, old: Given, next: Given, relation: string])[] = [
  ["the same",                              { validations: [FEW] },                { validations: [FEW] },                                                        "equivalent"],
  ["the same in other words",               { validations: [FEW] },                { validations: ["!(object.spec.replicas > 5)"] },                              "equivalent"],
  ["one more validation",                   { validations: [FEW] },                { validations: [FEW, TEAM] },                                                  "stricter"],
  ["one validation that repeats another",   { validations: [FEW] },                { validations: [FEW, "object.spec.replicas < 10"] },                           "equivalent"],
  ["a higher limit",                        { validations: [FEW] },                { validations: ["object.spec.replicas <= 7"] },                                "more-permissive"],
  ["another rule",                          { validations: [FEW] },                { validations: [TEAM] },                                                       "incomparable"],
  ["errors that are ignored",               { validations: [UNSAFE] },             { validations: [UNSAFE], policy: { failurePolicy: "Ignore" } },                "more-permissive"],
  ["errors that cannot be",                 { validations: [FEW] },                { validations: [FEW], policy: { failurePolicy: "Ignore" } },                   "equivalent"],
  ["a warning instead of a denial",         { validations: [FEW] },                { validations: [FEW], binding: { validationActions: ["Warn"] } },              "more-permissive"],
  ["fewer objects by a selector",           { validations: [FEW] },                { validations: [FEW], binding: { matchResources: { objectSelector: { matchLabels: { a: "b" } } } } }, "more-permissive"],
  ["fewer namespaces",                      { validations: [FEW] },                { validations: [FEW], binding: { matchResources: { namespaceSelector: { matchLabels: { a: "b" } } } } }, "more-permissive"],
  ["a match condition",                     { validations: [FEW] },                { validations: [FEW], policy: { matchConditions: [{ name: "a", expression: "object.spec.replicas > 100" }] } }, "more-permissive"],
  ["a match condition that is a validation", { validations: [FEW] },               { validations: [FEW], policy: { matchConditions: [{ name: "a", expression: "object.spec.replicas > 3" }] } }, "equivalent"],
  ["updates too",                           { validations: [FEW] },                { validations: [FEW], operations: ["CREATE", "UPDATE"] },                      "stricter"],
  ["a variable",                            { validations: [FEW] },                { validations: ["variables.n <= 5"], policy: { variables: [{ name: "n", expression: "object.spec.replicas" }] } }, "equivalent"],
];

test.each(PAIRS)("%s", async (_, old, next, relation) => {
  const comparison = await compareSets(cluster(old), cluster(next));
  expect(comparison.relation).toBe(relation);
  const mirrored = { stricter: "more-permissive", "more-permissive": "stricter" }[relation] ?? relation;
  expect((await compareSets(cluster(next), cluster(old))).relation).toBe(mirrored);
});

test("statements about everything that policies allow", async () => {
  const both = cluster({ validations: [FEW, TEAM] });
  expect((await proveThat(both, "object.spec.replicas <= 100")).is).toBe("proved");
  expect((await proveThat(both, "'team' in object.metadata.labels && object.spec.replicas < 6")).is).toBe("proved");
  const answer = await proveThat(both, "object.spec.replicas < 5");
  expect(answer).toMatchObject({ is: "counterexample", counterexample: { object: { spec: { replicas: 5 } } } });
  expect((await proveThat(both, "object.spec.replicas < 5", { assuming: "object.spec.replicas < 4" })).is).toBe(
    "proved",
  );
});

test("a statement about no policies is not proved", async () => {
  expect(await proveThat(SimulatedCluster.of([]), "true")).toEqual({
    is: "unknown",
    because: ["no validating policy is in force"],
  });
});

test("an expression that is no statement", () => {
  expect(statementError("object.spec.replicas <= 5")).toBeUndefined();
  expect(statementError("object.")).toContain("Syntax error");
});
