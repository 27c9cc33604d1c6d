import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const policy = (validations: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]}
  validations: [${validations}]
`;
const FILES = {
  "good.yaml": policy('{expression: "false", message: never}'),
  "syntax.yaml": policy('{expression: "fals"}'),
  "typo.yaml": policy('{expression: "true", mesage: typo}'),
  "binding.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec: {policyName: limit, validationActions: [Deny]}
`,
  "map.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
};
const run = (line: string) => runLine(line.split(" "), { files: FILES });
const REST = "-f binding.yaml -f map.yaml";

test.each(["syntax.yaml", "typo.yaml"])("%s: every command leaves a rejected policy out of force", async (file) => {
  const note = "ValidatingAdmissionPolicy limit was rejected, so it is not in force";
  const checked = await run(`check -f ${file} ${REST}`);
  expect(checked.stdout).toContain("✓ ConfigMap default/a");
  expect(checked.stdout).toContain(`! ${note}`);
  expect(checked.code).toBe(1);
  for (const command of ["explain", "mutate"]) {
    const { stderr, code } = await run(`${command} -f ${file} ${REST}`);
    expect({ command, code }).toEqual({ command, code: 1 });
    expect(stderr).toContain(`${file}: ${note} (\`celadon check\` shows why)`);
  }
  const costs = await run(`cost -f ${file} ${REST}`);
  expect(costs.code).toBe(1);
  expect(costs.stdout).toContain("0 measured");
  expect(costs.stdout + costs.stderr).toContain("rejected");
  const fuzzed = await run(`fuzz -f ${file} ${REST}`);
  expect(fuzzed.code).toBe(2);
  expect(fuzzed.stderr).toContain(note);
});

test.each([
  ["-f good.yaml -f syntax.yaml", "after a good one"],
  ["-f syntax.yaml -f good.yaml", "before a good one"],
  ["-f good.yaml -f typo.yaml", "with an unknown field, after a good one"],
  ["-f typo.yaml -f good.yaml", "with an unknown field, before a good one"],
])("%s: the last policy that is accepted is in force", async (files) => {
  const { stdout } = await run(`check ${files} ${REST}`);
  expect(stdout).toContain("✗ ConfigMap default/a  map.yaml:1  denied, 1 policy");
  expect(stdout).toContain(
    "! ValidatingAdmissionPolicy limit was rejected, so the other one in the inputs is in force",
  );
});

test("a rejected update leaves the existing policy in force", async () => {
  const { stdout } = await run(`check -f syntax.yaml --old good.yaml ${REST}`);
  expect(stdout).toContain("✗ ConfigMap default/a");
  expect(stdout).toContain("! ValidatingAdmissionPolicy limit was rejected, so the existing one stays in force");
});
