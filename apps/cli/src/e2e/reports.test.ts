// Reports of verbs as files: JUnit, SARIF and PolicyReport as their readers' schemas want them, of answers with everything in them.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseXml } from "../output/format/xml.testing.ts";
import { hasXmllint, junitProblems, policyReportProblems, sarifProblems } from "../output/schemas.testing.ts";
import { celadon, folder, ROOT } from "./run.testing.ts";

const example = (name: string): string => readFileSync(join(ROOT, "examples", name), "utf8");

/** A refused policy, one that matches nothing, a denied object, unknown fields, a certificate, a custom resource. */
const FILES: Readonly<Record<string, string>> = {
  "in/policy.yaml": example("trusted-images/policy.yaml"),
  "in/pod.yaml": example("trusted-images/pod.yaml"),
  "in/definition.yaml": example("crd/definition.yaml"),
  "in/queue.yaml": example("crd/queue.yaml"),
  "in/certificate-policy.yaml": example("certificates/policy.yaml"),
  "in/request.yaml": example("certificates/request.yaml"),
  "in/bad.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: "bad <&> \\"quoted\\""}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: ["*"], resources: [pods]}]
  validations:
  - expression: |
      object.spec.containers.all(c,
        c.image.endsWith(]))
---
apiVersion: v1
kind: ConfigMap
metadata: {name: typo}
dta: {}
---
apiVersion: v1
kind: Pod
metadata: {name: image, namespace: shop}
spec: {containers: [{name: a, image: "docker.io/é日本😀"}]}
`,
  "suite.yaml": `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [in/policy.yaml]
tests:
- name: passes
  object: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: "registry.example.com/a"}]}}
  expect: {allowed: true}
- name: "fails <&> é"
  object: {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: a, image: "docker.io/a"}]}}
  expect: {allowed: true}
`,
};

// biome-ignore format: one case per line
const verbs = [
  { name: "check", argv: ["check", "-f", "in"],   results: 9 },
  { name: "lint",  argv: ["lint", "-f", "in"],    results: 2 },
  { name: "test",  argv: ["test", "suite.yaml"],  results: 2 },
];
test.each(verbs)("$name", async ({ argv, results }) => {
  const cwd = folder(FILES);
  const targets = [
    "junit=out/r.xml",
    "sarif=out/r.sarif",
    "policyreport=out/r.yaml",
    "openreports=out/o.yaml",
    "json=out/r.json",
    "github",
  ];
  const { code, stdout, stderr } = await celadon([...argv, ...targets.flatMap((target) => ["-o", target])], { cwd });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toMatch(/^::error /m);
  const read = (name: string): string => readFileSync(join(cwd, "out", name), "utf8");
  expect(Number(parseXml(read("r.xml")).attributes.tests)).toBeGreaterThanOrEqual(results);
  if (hasXmllint) expect(junitProblems(read("r.xml"))).toEqual([]);
  expect(JSON.parse(read("r.sarif")).runs[0].results.length).toBeGreaterThan(0);
  expect(sarifProblems(read("r.sarif"))).toEqual([]);
  expect(policyReportProblems(read("r.yaml"))).toEqual([]);
  expect(policyReportProblems(read("o.yaml"), "openreports.io")).toEqual([]);
  expect(JSON.parse(read("r.json")).apiVersion).toBe("celadon.dev/v1");
});
