// The command in process: the files it writes, those it refuses to write, and that its output runs.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const POLICY = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: labels }
spec:
  validationFailureAction: Enforce
  rules:
  - name: team
    match: { any: [{ resources: { kinds: [Service] } }] }
    validate:
      cel: { expressions: [{ expression: "has(object.metadata.labels) && 'team' in object.metadata.labels", message: whose }] }
  - name: images
    match: { any: [{ resources: { kinds: [Pod] } }] }
    validate:
      cel: { expressions: [{ expression: "image.GetMetadata(object.spec.containers[0].image) != null", message: nope }] }
`;
const GOOD_ONLY = POLICY.slice(0, POLICY.indexOf("  - name: images"));
const SERVICES = `{ apiVersion: v1, kind: Service, metadata: { name: good, labels: { team: a } }, spec: { ports: [{ port: 80 }] } }
---
{ apiVersion: v1, kind: Service, metadata: { name: bad }, spec: { ports: [{ port: 80 }] } }
`;
const SUITE = `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: { name: My labels }
policies: [../policy.yaml]
resources: [services.yaml]
results:
- { policy: labels, rule: team, kind: Service, resources: [good], result: pass }
- { policy: labels, rule: team, kind: Service, resources: [bad], result: fail }
- { policy: labels, rule: team, kind: Service, resources: [bad], operation: DELETE, result: skip }
`;
const files = {
  "k/policy.yaml": GOOD_ONLY,
  "k/.kyverno-test/kyverno-test.yaml": SUITE,
  "k/.kyverno-test/services.yaml": SERVICES,
};
const textOf = (data: Uint8Array | undefined): string => new TextDecoder().decode(data);

test("policies from standard input, and a suite with the files it names", async () => {
  const policies = await runLine(["convert", "-f", "-"], { stdin: GOOD_ONLY });
  expect([policies.code, policies.stderr]).toEqual([0, ""]);
  expect(policies.stdout).toContain('# From ClusterPolicy "labels" rule "team" of -.\n');
  const suite = await runLine(["convert", "-"], {
    stdin: SUITE.replace("../policy", "k/policy"),
    files: { ...files, "services.yaml": SERVICES },
  });
  expect(suite.stderr).not.toContain("cannot");
  expect(suite.stdout).toContain("kind: TestSuite");
});

test("a file that cannot be decoded is named once", async () => {
  const { code, stderr } = await runLine(["convert", "a.yaml"], { files: { "a.yaml": new Uint8Array([0, 1, 2, 0]) } });
  expect(code).toBe(2);
  expect(stderr.split("a.yaml")).toHaveLength(2);
});

test("policies to standard output", async () => {
  const { code, stdout, stderr } = await runLine(["convert", "k/policy.yaml"], { files });
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`# From ClusterPolicy "labels" rule "team" of k/policy.yaml.
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: labels-team
spec:
  failurePolicy: Fail
  matchConstraints:
    resourceRules:
      - apiGroups:
          - ""
        apiVersions:
          - "*"
        operations:
          - CREATE
          - UPDATE
        resources:
          - services
  validations:
    - expression: has(object.metadata.labels) && 'team' in object.metadata.labels
      message: whose
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: labels-team-binding
spec:
  policyName: labels-team
  validationActions:
    - Deny
`);
});

test("a suite and its policies, which then run", async () => {
  const { code, stderr, io } = await runLine(["convert", "k", "-o", "out"], { files });
  expect([code, stderr]).toEqual([0, "wrote out/my-labels/policies.yaml\nwrote out/my-labels/tests.yaml\n"]);
  const written = Object.fromEntries(
    ["policies.yaml", "tests.yaml"].map((name) => [name, textOf(io.contents.get(`/virtual/out/my-labels/${name}`))]),
  );
  expect(written["tests.yaml"]).toContain(`tests:
  - name: labels/team/Service/good
    object: Service/good
    policy: labels-team
    expect: allow
`);
  const { code: ran, stdout } = await runLine(["test"], { files: written });
  expect([ran, stdout]).toEqual([0, "ok    My labels  tests.yaml  3 cases\n\nPASS  3 passed, 0 failed in 1 suite\n"]);
});

test("one document, which then runs", async () => {
  const { code, stdout } = await runLine(["convert", "k"], { files });
  expect(code).toBe(0);
  expect((await runLine(["test"], { files: { "t.yaml": stdout } })).code).toBe(0);
});

test("unconverted parts are named, in the file and on standard error", async () => {
  const { code, stderr, io } = await runLine(["convert", "--to", "policies", "k", "-o", "out"], {
    files: { ...files, "k/policy.yaml": POLICY },
  });
  expect(code).toBe(1);
  const line = `k/policy.yaml:11:5: ClusterPolicy "labels" rule "images": the API server's CEL has no "image", "GetMetadata"`;
  expect(stderr).toBe(`wrote out/policies.yaml\nnot converted: ${line}\n`);
  expect(textOf(io.contents.get("/virtual/out/policies.yaml"))).toMatch(
    /^# Not converted:\n# - k\/policy\.yaml:11:5: ClusterPolicy/,
  );
});

test("files in the way are kept, all of them", async () => {
  const given = { ...files, "out/my-labels/tests.yaml": "mine" };
  const { code, stderr, io } = await runLine(["convert", "k", "-o", "out"], { files: given });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^celadon: out\/my-labels\/tests\.yaml already exists\n.*--force/);
  expect(io.contents.has("/virtual/out/my-labels/policies.yaml")).toBe(false);
  expect((await runLine(["convert", "k", "-o", "out", "--force"], { files: given })).code).toBe(0);
});

test.each([
  [[], /nothing to convert/],
  [["nope"], /nope: no such file or directory/],
  [["k/.kyverno-test/services.yaml"], /no policies from other tools in k\/\.kyverno-test\/services\.yaml/],
  [["--to", "suite", "k/policy.yaml"], /no suites from other tools/],
  [["broken.yaml"], /broken\.yaml/],
  [["lost.yaml"], /gone\.yaml: no such file or directory/],
  [["--to", "other", "k"], /other/],
])("%j: code 2", async (argv, want) => {
  const more = { "broken.yaml": "a: [", "lost.yaml": SUITE.replace("../policy.yaml", "gone.yaml") };
  const { code, stdout, stderr } = await runLine(["convert", ...argv], { files: { ...files, ...more } });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(want);
});

test("suites of other tools are run as they are, and never changed", async () => {
  const wrong = SUITE.replace("resources: [bad], result: fail", "resources: [bad], result: pass");
  const given = { ...files, "k/.kyverno-test/kyverno-test.yaml": wrong };
  const { code, stdout, io } = await runLine(["test", "--update", "k"], { files: given });
  expect(code).toBe(1);
  expect(stdout).toContain(`--- FAIL: My labels/labels/team/Service/bad
    k/.kyverno-test/kyverno-test.yaml:8:3
    verdict
      expected: allow (kyverno: pass)
      got:      deny
      because:  whose
`);
  expect(textOf(io.contents.get("/virtual/k/.kyverno-test/kyverno-test.yaml"))).toBe(wrong);
});

test("cases that cannot be run are skipped, and counted on standard error", async () => {
  const more = `${SUITE}- { policy: labels, rule: images, kind: Service, resources: [bad], result: fail }\n`;
  const given = { ...files, "k/policy.yaml": POLICY, "k/.kyverno-test/kyverno-test.yaml": more };
  const { code, stdout, stderr } = await runLine(["test", "k"], { files: given });
  expect(code).toBe(0);
  expect(stdout).toContain("3 passed, 0 failed, 1 skipped in 1 suite");
  expect(stderr).toBe(
    `note: 1 case of My labels not run: kyverno: the API server's CEL has no "image", "GetMetadata"\n`,
  );
});

test("a run in which no case could be run fails", async () => {
  const only = SUITE.replace(
    /results:.*/s,
    "results:\n- { policy: labels, rule: images, kind: Service, resources: [bad], result: fail }\n",
  );
  const given = { ...files, "k/policy.yaml": POLICY, "k/.kyverno-test/kyverno-test.yaml": only };
  const { code, stdout, stderr } = await runLine(["test", "k"], { files: given });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^note: .*\nceladon: none of 1 cases could be run\n/);
});
