// `celadon test --mutate`, alone and as a process with threads.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { celadon, expectGoldenRun, folder, installed, ROOT } from "./run.testing.ts";

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
  { name: "min",        argv: ["--mutate-min", "90", "--mutate-sample", "6"],       files: queues() },
  { name: "failing",    argv: ["--mutate"],                                         files: queues((suite) => suite.replace("expect: deny", "expect: allow")) },
  { name: "bad-number", argv: ["--mutate-min", "many"],                             files: queues() },
];

describe("goldens", () => {
  test.each(goldens)("$name", async ({ name, argv, files }) => {
    expectGoldenRun(`mutate/${name}.txt`, await celadon(["test", ...argv], { cwd: folder(files) }));
  });
});

interface Survivor {
  readonly id: string;
  readonly outcome: string;
  readonly witness?: { readonly test: unknown } | null;
}

test("survivors in every format, and the cases proposed for them kill them", async () => {
  const run = async (files: Readonly<Record<string, string>>) => {
    const cwd = folder(files);
    const argv = ["test", "--mutate", "-o", "text", "-o", "table=table", "-o", "json=json"];
    const ran = await celadon(argv, { cwd });
    const [table, json] = ["table", "json"].map((name) => readFileSync(join(cwd, name), "utf8")) as [string, string];
    const { mutation } = JSON.parse(json) as {
      mutation: { summary: { score: number }; mutants: readonly Survivor[] };
    };
    return { ran, table, mutation };
  };
  const { ran, table, mutation } = await run(queues());
  expectGoldenRun("mutate/survivors.txt", ran);
  expectGoldenRun("mutate/table.txt", { ...ran, stdout: table });
  const survivors = mutation.mutants.filter(({ outcome }) => outcome === "survived");
  expect(survivors.length).toBeGreaterThan(3);
  const proposed = survivors.flatMap(({ witness }) => (witness ? [`  - ${JSON.stringify(witness.test)}\n`] : []));
  expect(proposed.length).toBe(survivors.length);
  const second = await run(queues((suite) => `${suite.trimEnd()}\n${proposed.join("")}`));
  expect(second.mutation.summary.score).toBe(100);
});

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
    const argv = (threads: string) => ["test", "--mutate", "--mutate-threads", threads, "-o", "json"];
    const alone = JSON.parse((await celadon(argv("1"), { cwd: folder(files) })).stdout).mutation;
    const threads = await installed(argv("2"), { cwd: folder(files), timeout: LONG });
    expect(JSON.parse(threads.stdout).mutation).toEqual(alone);
    expect(alone.summary).toMatchObject({ notRun: 0 });
    expect(alone.mutants.length).toBeGreaterThan(10);
  },
  LONG,
);
