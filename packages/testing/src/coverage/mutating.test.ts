// Mutating policies in coverage and mutation testing: their expressions and bindings count, and a suite that looks at the object
// notices changes of them.

import { expect, test } from "vitest";
import { PolicyMutation, runMutation } from "../mutate/mutation.ts";
import { mutationReport } from "../mutate/report.ts";
import { suiteOf, type Texts } from "../suite/suite.testing.ts";
import type { Suite } from "../suite/suite.ts";
import { cover, missed, suiteFrom } from "./coverage.testing.ts";

const FILES: Texts = {
  "policy.yaml": `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: { name: team }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE] }]
  matchConditions: [{ name: unlabelled, expression: "!has(object.metadata.labels)" }]
  reinvocationPolicy: Never
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration: { expression: "Object{metadata: Object.metadata{labels: {'team': has(object.data) ? 'shop' : 'none'}}}" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: { name: team }
spec: { policyName: team }
`,
};
const map = (more: string): string => `{ apiVersion: v1, kind: ConfigMap, metadata: { name: a${more} }`;
const FULL = `
- { name: with data, object: ${map("")}, data: { a: b } }, expect: { object: { metadata: { labels: { team: shop } } } } }
- { name: empty, object: ${map("")} }, expect: { mutations: 1, object: { metadata: { labels: { team: none } } } } }
- { name: labelled, object: ${map(", labels: { team: x }")} }, expect: { matched: false, mutations: 0 } }
`;
const HALF = FULL.split("\n").slice(0, 2).join("\n");
const suite = (tests: string): Promise<Suite> => suiteFrom(suiteOf(tests).replace("objects: [web.yaml]\n", ""), FILES);

test("expressions, branches and bindings of mutating policies are counted", async () => {
  const { report, result } = await cover(await suite(FULL));
  expect(result.cases.map((testCase) => testCase.result)).toEqual(["pass", "pass", "pass"]);
  expect(report.policies.map(({ kind, points }) => [kind, points > 4])).toEqual([["MutatingAdmissionPolicy", true]]);
  expect(missed(report).filter((text) => !text.includes("failed"))).toEqual([]);
  const half = await cover(await suite(HALF));
  expect(missed(half.report).length).toBeGreaterThan(missed(report).length);
});

test("changes of mutating policies are noticed by suites that look at the object", async () => {
  const mutation = await PolicyMutation.of([await suite(FULL)]);
  const { resources } = mutationReport(await runMutation(mutation, { seed: 1, tries: 5 }));
  expect(resources.map(({ resource }) => resource.kind)).toEqual([
    "MutatingAdmissionPolicy",
    "MutatingAdmissionPolicyBinding",
  ]);
  expect(resources.every(({ killed }) => killed > 0)).toBe(true);
});
