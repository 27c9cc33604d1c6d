// `celadon prove`: its answers, and that `celadon test` confirms the case of every counterexample.

import { readFileSync } from "node:fs";
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

const STRICT = REPLICAS.split("\n")
  .filter((line) => !/replicas > 5|containers\.all/.test(line))
  .join("\n");
const BINDING = `---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: replicas }
spec: { policyName: replicas, validationActions: [Deny] }
`;
const WEBHOOK = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: w }
webhooks:
- name: w.example.com
  clientConfig: { url: "https://example.com" }
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
  matchConditions: [{ name: a, expression: object.spec.replicas > 5 }]
`;
const LOOSE = STRICT.replace("<= 5", "<= 7");

// biome-ignore format: one case per line
const questions: { name: string; argv: string[]; code: number; shows: string }[] = [
  { name: "the same",           argv: ["--old", "loose.yaml", "-f", "loose.yaml"],                                          code: 0, shows: "equivalent: " },
  { name: "stricter",           argv: ["--old", "loose.yaml", "-f", "strict.yaml"],                                         code: 1, shows: "replicas: 6" },
  { name: "more permissive",    argv: ["--old", "strict.yaml", "-f", "loose.yaml", "-o", "json"],                           code: 1, shows: '"relation": "more-permissive"' },
  { name: "a statement",        argv: ["-f", "strict.yaml", "--that", "object.spec.replicas <= 5"],                         code: 0, shows: "proved: object.spec.replicas <= 5" },
  { name: "a wrong statement",  argv: ["-f", "strict.yaml", "--that", "object.spec.replicas < 5"],                          code: 1, shows: "replicas: 5" },
  { name: "under an assumption", argv: ["-f", "strict.yaml", "--that", "object.spec.replicas < 5", "--assuming", "object.spec.replicas != 5"], code: 0, shows: "assuming: object.spec.replicas != 5" },
  { name: "under an assumption that leaves a request", argv: ["-f", "strict.yaml", "--that", "object.spec.replicas < 4", "--assuming", "object.spec.replicas != 5"], code: 1, shows: "replicas: 4" },
  { name: "a statement about webhooks", argv: ["-f", "webhook.yaml", "--that", "false"],                                    code: 2, shows: "" },
  { name: "webhooks compared",  argv: ["--old", "webhook.yaml", "-f", "webhook.yaml"],                                      code: 2, shows: "" },
  { name: "no expression",      argv: ["-f", "strict.yaml", "--that", "object."],                                           code: 2, shows: "" },
];
test.each(questions)("$name", async ({ argv, code, shows }) => {
  const cwd = folder({ "loose.yaml": LOOSE, "strict.yaml": STRICT, "webhook.yaml": WEBHOOK });
  const run = await celadon(["prove", ...argv], { cwd });
  expect(run.stdout).toContain(shows);
  expect(run.code).toBe(code);
});

test("counterexamples are added to a suite, once, and hold there", async () => {
  const suite =
    "# ours\napiVersion: celadon.dev/v1\nkind: TestSuite\nmetadata: { name: replicas }\nresources: [policy.yaml]\ntests: []\n";
  const cwd = folder({ "policy.yaml": `${STRICT}\n${BINDING}`, "suite.yaml": suite });
  const add = ["prove", "-f", "policy.yaml", "--add-to", "suite.yaml"];
  expect((await celadon(add, { cwd })).stderr).toContain("suite.yaml: 1 case added");
  expect((await celadon(add, { cwd })).stderr).toContain("suite.yaml: 0 cases added");
  expect(readFileSync(join(cwd, "suite.yaml"), "utf8")).toContain("# ours\n");
  expect((await celadon(["test", "suite.yaml"], { cwd })).code).toBe(0);
});
