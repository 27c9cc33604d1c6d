// `celadon convert`: a converted suite of another tool with its policies has the same results.

import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder } from "./run.testing.ts";

const FILES = {
  "labels/policy.yaml": `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labels }
spec:
  validationFailureAction: Enforce
  rules:
  - name: team
    match: { any: [{ resources: { kinds: [Service] } }] }
    validate:
      cel: { expressions: [{ expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: whose }] }
`,
  "labels/.kyverno-test/services.yaml": `{ apiVersion: v1, kind: Service, metadata: { name: good, labels: { team: a } }, spec: { ports: [{ port: 80 }] } }
---
{ apiVersion: v1, kind: Service, metadata: { name: bad }, spec: { ports: [{ port: 80 }] } }
`,
  "labels/.kyverno-test/kyverno-test.yaml": `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: labels }
policies: [../policy.yaml]
resources: [services.yaml]
results:
- { policy: labels, rule: team, kind: Service, resources: [good], result: pass }
- { policy: labels, rule: team, kind: Service, resources: [bad], result: fail }
`,
};

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[] }[] = [
  { name: "suite",     argv: ["labels"] },
  { name: "policies",  argv: ["--to", "policies", "labels/policy.yaml"] },
  { name: "nothing",   argv: [] },
  { name: "no-file",   argv: ["none"] },
  { name: "bad-to",    argv: ["--to", "polices", "labels"] },
];
test.each(goldens)("$name", async ({ name, argv }) => {
  expectGoldenRun(`convert/${name}.txt`, await celadon(["convert", ...argv], { cwd: folder(FILES) }));
});

test("the written files run, decide as before, and are not overwritten", async () => {
  const cwd = folder(FILES);
  const before = await celadon(["test", "labels"], { cwd });
  expect(before.stdout).toContain("PASS  2 passed, 0 failed");
  expectGoldenRun("convert/written.txt", await celadon(["convert", "labels", "-o", "ours"], { cwd }));
  const after = await celadon(["test", "ours"], { cwd });
  expect(after.stdout).toContain("PASS  2 passed, 0 failed");
  expect((await celadon(["lint", "-f", "ours"], { cwd })).code).toBe(0);
  expect((await celadon(["convert", "labels", "-o", "ours"], { cwd })).code).toBe(2);
  expect((await celadon(["convert", "labels", "-o", "ours", "--force"], { cwd })).code).toBe(0);
});
