// Files of other people: a suite reads below its root only, by any path.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { nodeFiles } from "../io-node.ts";
import { run } from "../run.ts";

const POD =
  "apiVersion: v1\nkind: Pod\nmetadata: { name: crown-jewels }\nspec: { containers: [{ name: a, image: a }] }\n";
const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods] }] }
  validations: [{ expression: "true" }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: p }
spec: { policyName: p, validationActions: [Deny] }
`;

const suite = (policy: string, object = "pod.yaml"): string => `apiVersion: celadon.dev/v1
kind: TestSuite
resources:
  - ${policy}
tests:
  - name: one
    object: ${object}
    expect: allow
`;

const kyverno = (policy: string): string => `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: t }
policies:
  - ${policy}
resources: [pod.yaml]
results: [{ policy: p, resources: [crown-jewels], kind: Pod, result: pass }]
`;

const top = mkdtempSync(join(tmpdir(), "celadon-reach-"));
afterAll(() => rmSync(top, { recursive: true }));

let made = 0;

/** A directory that holds `files`, and how a command started in `start` ends there. */
async function ran(
  files: Readonly<Record<string, string>>,
  start: string,
  argv: readonly string[],
  links: Readonly<Record<string, string>> = {},
): Promise<{ code: number; out: string; err: string; root: string }> {
  const root = join(top, String(made++));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  for (const [path, target] of Object.entries(links)) symlinkSync(join(root, target), join(root, path));
  const io = testIo();
  const cwd = join(root, start);
  const disk = { ...io, cwd, files: nodeFiles(cwd) };
  const code = await run(argv, disk);
  return { code, out: io.stdout, err: io.stderr, root };
}

const outside = { "policy.yaml": POLICY, "repo/tests/pod.yaml": POD };

test.each([
  { name: "dots", entry: "../../policy.yaml", links: {} },
  { name: "a glob with dots", entry: "../../*.yaml", links: {} },
  { name: "a directory above", entry: "../..", links: {} },
  { name: "a link to a file", entry: "link.yaml", links: { "repo/tests/link.yaml": "policy.yaml" } },
  { name: "a link to above", entry: "link", links: { "repo/tests/link": "." } },
  { name: "a link below", entry: "link/policy.yaml", links: { "repo/tests/link": "." } },
  { name: "a missing file", entry: "../../none.yaml", links: {} },
])("$name: refused with place and remedy, allowed by the flag", async ({ name, entry, links }) => {
  for (const [file, text] of [
    ["tests.yaml", suite(entry)],
    ["kyverno-test.yaml", kyverno(entry)],
  ] as const) {
    const files = { ...outside, [`repo/tests/${file}`]: text };
    const refused = await ran(files, "repo", ["test"], links);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toMatch(new RegExp(`^tests/${file.replace(".", "\\.")}:\\d+:\\d+: .*outside of `));
    expect(refused.err).toContain("--allow-outside");
    expect(refused.err).not.toContain("crown-jewels");
    const allowed = await ran(files, "repo", ["test", "--allow-outside"], links);
    expect(allowed.err).not.toContain("outside of");
    if (entry.endsWith("policy.yaml") && file === "tests.yaml") expect(allowed.code, name).toBe(0);
  }
});

test("an absolute path", async () => {
  const elsewhere = join(top, "elsewhere.yaml");
  writeFileSync(elsewhere, POLICY);
  const files = { "repo/tests.yaml": suite(elsewhere), "repo/pod.yaml": POD };
  expect((await ran(files, "repo", ["test"])).err).toContain("outside of");
  expect((await ran(files, "repo", ["test", "--allow-outside"])).code).toBe(0);
});

test("a suite reaches its repository, the working directory above it, or its own directory", async () => {
  const files = { "policies/policy.yaml": POLICY, "tests/pod.yaml": POD, "tests/tests.yaml": suite("../policies") };
  expect((await ran(files, ".", ["test"])).code).toBe(0);
  expect((await ran(files, "tests", ["test"])).code).toBe(2);
  expect((await ran(files, "policies", ["test", "../tests"])).code).toBe(2);
  expect((await ran({ ...files, ".git/HEAD": "" }, "tests", ["test"])).code).toBe(0);
  // The working directory does not widen a repository: it may be the home directory.
  expect((await ran({ ...files, "tests/.git": "" }, ".", ["test"])).code).toBe(2);
});

test("convert goes the same way", async () => {
  const files = { ...outside, "repo/tests/kyverno-test.yaml": kyverno("../../policy.yaml") };
  const refused = await ran(files, "repo", ["convert", "tests"]);
  expect([refused.code, refused.out]).toEqual([2, ""]);
  expect(refused.err).toContain("outside of");
  expect((await ran(files, "repo", ["convert", "tests", "--allow-outside"])).err).not.toContain("outside of");
});
