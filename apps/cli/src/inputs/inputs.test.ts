import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const manifest = (apiVersion: string, kind: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\n`;

// biome-ignore format: one case per line
const cases = [
  { apiVersion: "kyverno.io/v1",                     kind: "ClusterPolicy",      says: "a.yaml: ClusterPolicy a is for Kyverno; an API server does not enforce it (`celadon convert` converts its CEL to policies)\n" },
  { apiVersion: "policies.kyverno.io/v1alpha1",      kind: "ValidatingPolicy",   says: "a.yaml: ValidatingPolicy a is for Kyverno" },
  { apiVersion: "templates.gatekeeper.sh/v1",        kind: "ConstraintTemplate", says: "a.yaml: ConstraintTemplate a is for Gatekeeper" },
  { apiVersion: "example.com/v1",                    kind: "ClusterPolicy",      says: "" },
];
test.each(cases)("$apiVersion $kind", async ({ apiVersion, kind, says }) => {
  const files = { "a.yaml": manifest(apiVersion, kind) };
  const { stderr } = await runLine(["lint", "-f", "a.yaml"], { files });
  if (says === "") expect(stderr).toBe("");
  else expect(stderr).toContain(says);
  expect((await runLine(["lint", "-f", "a.yaml", "-q"], { files })).stderr).toBe("");
});

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  validations: [{expression: "object.metadata.name != 'a'"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: a}]}\n";

// biome-ignore format: one case per line
const ways = [
  { how: "all without -f",          argv: ["policies", "pod.yaml"] },
  { how: "what the shell makes",    argv: ["-f", "policies/p.yaml", "pod.yaml"] },
  { how: "flags between",           argv: ["policies", "-q", "pod.yaml"] },
  { how: "standard input",          argv: ["policies", "-"], stdin: POD },
];
describe.each(["check", "lint", "cost", "fuzz", "autogen"])("%s", (verb) => {
  const files = { "policies/p.yaml": POLICY, "pod.yaml": POD };
  test.each(ways)("$how", async ({ argv, stdin = "" }) => {
    const few = verb === "fuzz" ? ["--runs", "20"] : [];
    const flagged = argv.flatMap((path) => (path.startsWith("-") && path !== "-" ? [] : ["-f", path]));
    const run = async (paths: readonly string[]) => {
      const { code, stdout } = await runLine([verb, ...paths, ...few, "-o", "json"], { files, stdin });
      return { code, stdout };
    };
    const want = await run(flagged);
    expect(want.code).toBe(verb === "check" ? 1 : 0);
    expect(await run(argv)).toEqual(want);
  });

  test("a path that is not there", async () => {
    const { code, stderr } = await runLine([verb, "policies", "nowhere.yaml"], { files });
    expect(code).toBe(2);
    expect(stderr).toContain("nowhere.yaml: no such file or directory");
  });
});

test("standard input is read once, named with -f or not", async () => {
  const { code, stderr } = await runLine(["check", "-", "--old", "-"], { files: {}, stdin: POD });
  expect(code).toBe(2);
  expect(stderr).toContain("standard input cannot be read for both -f and --old");
});

test("a file with several problems is one input", async () => {
  const files = { "a.yaml": "kind: ConfigMap\n---\n- null\n", "b.yaml": "kind: Pod\n" };
  expect((await runLine(["check", "-f", "a.yaml"], { files })).stderr).toMatch(/cannot read one input\n$/);
  expect((await runLine(["check", "-f", "a.yaml", "-f", "b.yaml"], { files })).stderr).toMatch(
    /cannot read 2 inputs\n$/,
  );
});
