// `lint --fix`: its output, and the problems it leaves alone; `--explain`; `fmt --diff`.

import { expect, test } from "vitest";
import { testIo } from "../io.testing.ts";
import { run } from "../run.ts";

const BAD = `# a policy
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: v}
spec:
  failurPolicy: Fail   # misspelt
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployment]}]
  validations:
  - expression: "object.spec.replcas < 3 && has(object.spec.zzz)"
`;

const FIXED = BAD.replace("failurPolicy", "failurePolicy")
  .replace("[deployment]", "[deployments]")
  .replace("replcas", "replicas");

async function lint(argv: readonly string[], text = BAD) {
  const io = testIo({ files: { "p.yaml": text } });
  const code = await run(["lint", ...argv, "p.yaml"], io);
  return {
    code,
    stdout: io.stdout,
    stderr: io.stderr,
    text: new TextDecoder().decode(io.contents.get("/virtual/p.yaml")),
  };
}

test("misspelt names are corrected, also those that show only after a correction, and the rest stays as it is", async () => {
  const { text, stderr, stdout, code } = await lint(["--fix"]);
  expect(text).toBe(FIXED);
  expect(stderr).toContain("-  failurPolicy: Fail   # misspelt\n+  failurePolicy: Fail   # misspelt\n");
  expect(stderr).toContain("corrected 3 names in 1 file\n");
  // A name without a similar one is still reported.
  expect(stdout).toContain("undefined field 'zzz'");
  expect(code).toBe(0);
});

test("--dry-run shows the same and changes nothing", async () => {
  const { text, stderr } = await lint(["--fix", "--dry-run"]);
  expect(text).toBe(BAD);
  expect(stderr).toContain("+++ b/p.yaml\n");
  expect(stderr).toContain("would correct 3 names in 1 file\n");
});

test("a correction that would bring another problem is not made", async () => {
  const taken = BAD.replace("  failurPolicy: Fail   # misspelt\n", "  failurePolicy: Fail\n  failurPolicy: Never\n");
  const { text } = await lint(["--fix"], taken);
  expect(text).toContain("  failurPolicy: Never\n");
});

test.each([
  [["--dry-run"], "--dry-run is for --fix"],
  [["--explain", "unguarded"], 'unknown code "unguarded"'],
])("%j", async (argv, says) => {
  const { code, stderr } = await lint(argv);
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test("a code is explained, with its page", async () => {
  const { stdout, code } = await lint(["--explain", "unguarded_field"]);
  expect(code).toBe(0);
  expect(stdout).toContain("ask for it first");
  expect(stdout).toContain("docs/reference/lint.md#unguarded_field\n");
});

test("codes link to their page in JSON, SARIF, JUnit and policy reports", async () => {
  for (const format of ["json", "sarif", "junit", "policyreport"]) {
    expect((await lint(["-o", format])).stdout).toContain("docs/reference/lint.md#unknown_field");
  }
});

test("fmt shows its changes", async () => {
  const io = testIo({ files: { "p.yaml": BAD.replace("replcas < 3", "replicas  <  3") } });
  expect(await run(["fmt", "--diff", "p.yaml"], io)).toBe(0);
  expect(io.stdout).toContain('-  - expression: "object.spec.replicas  <  3');
  expect(io.stdout).toContain('+  - expression: "object.spec.replicas < 3');
  expect(new TextDecoder().decode(io.contents.get("/virtual/p.yaml"))).toContain("replicas  <  3");
});
