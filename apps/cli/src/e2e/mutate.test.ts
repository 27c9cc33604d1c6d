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
    const files = {
      "policy.yaml": `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE] }]
  validations: [{ expression: "object.data.a != '1' && object.data.b != '2' && object.data.c != '3'" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`,
      "map.yaml": "{ apiVersion: v1, kind: ConfigMap, metadata: { name: web }, data: { a: x, b: x, c: x } }\n",
      "tests.yaml": `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [policy.yaml]
tests:
- { name: one, object: map.yaml, expect: allow }
- { name: some, object: map.yaml, patch: { data: { b: "2" } }, expect: deny }
`,
    };
    const report = async (threads: string) => {
      const argv = ["test", "--mutate", "--mutate-threads", threads, "-o", "json"];
      return JSON.parse((await celadon(argv, { cwd: folder(files), timeout: LONG })).stdout).mutation;
    };
    const alone = await report("1");
    expect(await report("2")).toEqual(alone);
    expect(alone.summary).toMatchObject({ notRun: 0 });
    expect(alone.mutants.length).toBeGreaterThan(10);
  },
  LONG,
);
