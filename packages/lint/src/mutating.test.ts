// Mutating policies through lint: refusals of the API server, expressions that do not fit the matched kinds, and names that lead nowhere.

import { readDocuments } from "@celadon/kube/read";
import { expect, test } from "vitest";
import { lint } from "./lint.ts";

const POLICIES = `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: wrong}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments, deployment]}]
  variables:
    - {name: patch, expression: "Object{}"}
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object.spec{replicas: 1}"}
    - patchType: ApplyConfiguration
      applyConfiguration: {expression: "Object{spec: Object.spec{replicas: object.spec.replica}}"}
    - patchType: JSONPatch
      jsonPatch: {expression: "[]"}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: dangling}
spec: {policyName: wrongg}
---
apiVersion: admissionregistration.k8s.io/v1beta1
kind: MutatingAdmissionPolicyBinding
metadata: {name: beta}
spec: {policyName: wrong}
`;

test("every problem with its code, field and help", async () => {
  const manifests = readDocuments(POLICIES).documents.map(({ value }) => ({ object: value as never }));
  const { problems } = await lint(manifests);
  expect(problems.map(({ code, path, help = "" }) => `${code} ${path.join(".")}: ${help}`).sort()).toEqual([
    "compile_error spec.mutations.0.applyConfiguration.expression: start at the root of the object: Object{spec: Object.spec{…}}",
    'compile_error spec.mutations.2.jsonPatch.expression: write a list of operations: [JSONPatch{op: "add", path: "/…", value: …}]',
    "compile_error spec.variables.0.expression: Object and JSONPatch are only available in mutations",
    'dangling_policy_name spec.policyName: did you mean "wrong"?',
    "not_served apiVersion: use v1",
    'type_mismatch spec.mutations.1.applyConfiguration.expression: did you mean "replicas"?',
    'unknown_resource spec.matchConstraints.resourceRules.0.resources.1: did you mean "deployments"?',
  ]);
});

const mutating = (name: string, patch: string, more = "") => `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  ${more}
  mutations: [${patch}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}}
`;
const json = (text: string) => `{patchType: JSONPatch, jsonPatch: {expression: '${text}'}}`;
const apply = (text: string) => `{patchType: ApplyConfiguration, applyConfiguration: {expression: '${text}'}}`;

test("fields that mutations write, as far as the expression shows them", async () => {
  const team = (value: string) => apply(`Object{metadata: Object.metadata{labels: {"a/team": ${value}}}}`);
  const append = json(`[JSONPatch{op: "add", path: "/spec/tolerations/-", value: Object{key: "x"}}]`);
  const text = [
    mutating("one", team('"a"')),
    mutating("same", team('"a"')),
    mutating("other", team("object.metadata.name")),
    mutating("patch", json(`[JSONPatch{op: "add", path: "/metadata/labels/a~1team", value: "b"}]`)),
    mutating("sometimes", json(`true ? [JSONPatch{op: "add", path: "/metadata/labels/a~1team", value: "c"}] : []`)),
    mutating("appends", append),
    mutating("looks", append, `matchConditions: [{name: none, expression: "!has(object.spec.tolerations)"}]`),
  ].join("---");
  const manifests = readDocuments(text).documents.map(({ value }) => ({ object: value as never }));
  const { problems } = await lint(manifests);
  const shown = problems.map(
    ({ code, level, manifest, message }) =>
      `${level} ${code} ${String((manifest.object.metadata as { name: string }).name)}: ${message}`,
  );
  expect(shown.filter((line) => /not_idempotent|order_dependent/.test(line))).toEqual([
    "note order_dependent other: mutating policy one writes /metadata/labels/a~1team too, but the order of mutations is not defined",
    "note order_dependent patch: mutating policy one writes /metadata/labels/a~1team too, but the order of mutations is not defined",
    "warning not_idempotent appends: the mutation appends to /spec/tolerations every time it runs, but the API server may run it twice",
  ]);
});
