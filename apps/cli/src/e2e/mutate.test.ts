// `celadon test --mutate` as a process.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, ROOT } from "./run.testing.ts";

const LONG = 120_000;

const example = (folderName: string, name: string): string =>
  readFileSync(join(ROOT, "examples", folderName, name), "utf8");

const queues = (change: (suite: string) => string = (suite) => suite): Readonly<Record<string, string>> => ({
  "definition.yaml": example("crd", "definition.yaml"),
  "queue.yaml": example("crd", "queue.yaml"),
  "tests.yaml": change(example("crd", "tests.yaml")),
});

// biome-ignore format: one golden per line
const goldens: { name: string; argv: string[]; files: Readonly<Record<string, string>> }[] = [
  { name: "survivors",  argv: ["--mutate"],                                         files: queues() },
  { name: "table",      argv: ["--mutate", "-o", "table"],                          files: queues() },
  { name: "min",        argv: ["--mutate-min", "90", "--mutate-sample", "6"],       files: queues() },
  { name: "failing",    argv: ["--mutate"],                                         files: queues((suite) => suite.replace("expect: deny", "expect: allow")) },
  { name: "bad-number", argv: ["--mutate-min", "many"],                             files: queues() },
];

describe("goldens", () => {
  test.each(goldens)(
    "$name",
    async ({ name, argv, files }) => {
      const ran = await celadon(["test", ...argv], { cwd: folder(files), timeout: LONG });
      expectGoldenRun(`mutate/${name}.txt`, ran);
    },
    LONG,
  );
});

interface Survivor {
  readonly id: string;
  readonly outcome: string;
  readonly witness?: { readonly test: unknown } | null;
}

test(
  "cases that are proposed kill what survived",
  async () => {
    const run = async (files: Readonly<Record<string, string>>) => {
      const ran = await celadon(["test", "--mutate", "-o", "json"], { cwd: folder(files), timeout: LONG });
      return JSON.parse(ran.stdout).mutation as { summary: { score: number }; mutants: readonly Survivor[] };
    };
    const first = await run(queues());
    const survivors = first.mutants.filter(({ outcome }) => outcome === "survived");
    expect(survivors.length).toBeGreaterThan(3);
    const proposed = survivors.flatMap(({ witness }) => (witness ? [`  - ${JSON.stringify(witness.test)}\n`] : []));
    expect(proposed.length).toBe(survivors.length);
    const second = await run(queues((suite) => `${suite.trimEnd()}\n${proposed.join("")}`));
    expect(second.summary.score).toBe(100);
  },
  LONG,
);

test(
  "threads come to the same report",
  async () => {
    // Enough mutants for threads: one expression of many clauses, and a suite that notices some of them.
    const clauses = Array.from({ length: 60 }, (_, i) => `object.spec.replicas != ${100 + i}`).join(" && ");
    const files = {
      "policy.yaml": `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE] }]
  validations: [{ expression: "${clauses}" }, { expression: "${clauses.replaceAll("!= 1", "!= 2")}" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`,
      "web.yaml":
        "{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web }, spec: { replicas: 1, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: b }] } } } }\n",
      "tests.yaml": `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [policy.yaml]
tests:
- { name: one, object: web.yaml, expect: allow }
- { name: some, object: web.yaml, patch: { spec: { replicas: 130 } }, expect: deny }
`,
    };
    const argv = ["test", "--mutate", "--mutate-time", "100", "-o", "json"];
    const [first, second] = [
      await celadon(argv, { cwd: folder(files), timeout: LONG }),
      await celadon([...argv], { cwd: folder(files), timeout: LONG }),
    ];
    const report = (text: string) => JSON.parse(text).mutation;
    expect(report(first.stdout)).toEqual(report(second.stdout));
    expect(report(first.stdout).mutants.length).toBeGreaterThan(300);
    expect(report(first.stdout).summary.notRun).toBe(0);
  },
  LONG * 2,
);
