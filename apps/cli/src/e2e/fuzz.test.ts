// `celadon fuzz`: its findings, and that `celadon test` confirms the case of every finding.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder } from "./run.testing.ts";

const LONG = 120_000;

// One expression of every kind, each with a way to fail that another part of the request decides.
const CARELESS = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: careless }
spec:
  failurePolicy: Ignore
  paramKind: { apiVersion: v1, kind: ConfigMap }
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE, DELETE], resources: [pods] }]
  matchConditions:
  - { name: users, expression: "!('system:masters' in request.userInfo.groups)" }
  variables:
  - { name: note, expression: "object.metadata.annotations['note']" }
  validations:
  - { expression: "params.data.x == '1' || variables.note != ''" }
  - { expression: "!has(object.spec.hostname)", messageExpression: "'of ' + object.metadata.labels['team']" }
  - { expression: "authorizer.group('').resource('pods').check('create').allowed() || oldObject.spec.nodeName != ''" }
  auditAnnotations:
  - { key: node, valueExpression: "string(object.spec.nodeName)" }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: careless }
spec: { policyName: careless, validationActions: [Deny], paramRef: { name: limits, namespace: shop, parameterNotFoundAction: Deny } }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: twice }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [rbac.authorization.k8s.io], apiVersions: [v1], operations: [CREATE], resources: [clusterroles] }]
  # a server writes rules that are missing as null: only the labels can fail, at two places
  validations: [{ expression: "object.rules == null || object.metadata.labels.a == 'x' || object.metadata.labels.a == 'y'" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: twice }
spec: { policyName: twice, validationActions: [Deny] }
---
`;

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "examples",   argv: ["-f", "examples/trusted-images", "-f", "examples/crd/definition.yaml", "--runs", "100"] },
  { name: "bad-runs",   argv: ["-f", "examples/crd/definition.yaml", "--runs", "0"] },
  { name: "no-policy",  argv: ["-f", "examples/trusted-images/pod.yaml"] },
];
test.each(goldens)("$name", async ({ name, argv }) => {
  expectGoldenRun(`fuzz/${name}.txt`, await celadon(["fuzz", ...argv]));
});

test("findings, as text and as test cases with the same result", { timeout: LONG }, async () => {
  const cwd = folder({ "policies.yaml": CARELESS });
  const argv = ["fuzz", "-f", "policies.yaml", "--runs", "150"];
  expectGoldenRun("fuzz/findings.txt", await celadon(argv, { cwd }));
  const { stdout } = await celadon([...argv, "-o", "json"], { cwd });
  const { findings } = JSON.parse(stdout) as { findings: readonly { expression: { kind: string }; test: object }[] };
  expect([...new Set(findings.map(({ expression }) => expression.kind))].sort()).toEqual([
    "auditAnnotation",
    "messageExpression",
    "validation",
    "variable",
  ]);
  const tests = findings.map((finding) => finding.test);
  const suite = { apiVersion: "celadon.dev/v1", kind: "TestSuite", resources: ["policies.yaml"], tests };
  writeFileSync(join(cwd, "tests.yaml"), JSON.stringify(suite));
  const ran = await celadon(["test"], { cwd });
  expect(ran.stdout).toContain(`PASS  ${findings.length} passed, 0 failed`);
});
