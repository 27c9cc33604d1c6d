import { readDocuments } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { SimulatedCluster } from "../simulated/simulated-cluster.ts";
import { mutationFindings } from "./mutation-findings.ts";

const RULES = `matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}`;

const policy = (name: string, ...expressions: readonly string[]): string => `---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  ${RULES}
  reinvocationPolicy: Never
  mutations:
${expressions.map((text) => `  - ${text.startsWith("[") ? "{patchType: JSONPatch, jsonPatch" : "{patchType: ApplyConfiguration, applyConfiguration"}: {expression: '${text}'}}`).join("\n")}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}}
`;

const OBJECT = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {count: "1", team: web}
`;

async function found(yaml: string): Promise<readonly string[]> {
  const manifests = readDocuments(yaml + OBJECT).documents.map(({ value }) => ({ object: value as never }));
  const simulated = SimulatedCluster.of(manifests);
  const outcome = await simulated.review({ object: manifests.at(-1)!.object, operation: "CREATE" });
  const problems = await mutationFindings(simulated, outcome);
  return problems.map(
    ({ finding, by, path = [] }) => `${finding} ${by?.name} ${by?.path?.join(".")} ${path.join(".")}`,
  );
}

const data = (key: string, value: string): string => `Object{data: {"${key}": ${value}}}`;

// biome-ignore format: one set of policies per line
const cases: [string, string, readonly string[]][] = [
  ["what is set once and for all",        policy("a", data("team", '"shop"')), []],
  ["a value that grows with each run",    policy("a", data("count", 'string(int(object.data["count"]) + 1)')), ["not_idempotent a spec.mutations.0.applyConfiguration.expression data.count"]],
  ["the second of two mutations grows",   policy("a", data("team", '"shop"'), '[JSONPatch{op: "add", path: "/data/count", value: object.data["count"] + "0"}]'), ["not_idempotent a spec.mutations.1.jsonPatch.expression data.count"]],
  ["two policies with one answer",        policy("a", data("team", '"shop"')) + policy("b", data("team", '"shop"')), []],
  ["two policies write one field",        policy("a", data("team", '"shop"')) + policy("b", data("team", '"bank"')), ["order_dependent b spec.mutations.0.applyConfiguration.expression data.team"]],
  ["one removes what another adds",       policy("a", data("extra", '"1"')) + policy("b", '[JSONPatch{op: "test", path: "/data/team", value: "web"}, JSONPatch{op: "remove", path: "/data/extra"}]'), ["order_dependent b spec.mutations.0.jsonPatch.expression data.extra"]],
  ["two policies write two fields",       policy("a", data("team", '"shop"')) + policy("b", data("extra", '"1"')), []],
];

test.each(cases)("%s", async (_, yaml, want) => {
  expect(await found(yaml)).toEqual(want);
});

test("what the API server denies was written by a mutation", async () => {
  const bad = policy("a", 'Object{metadata: Object.metadata{labels: {"team": "not a label"}}}');
  expect(await found(bad)).toEqual([
    "denied_after_mutation a spec.mutations.0.applyConfiguration.expression metadata.labels",
  ]);
});
