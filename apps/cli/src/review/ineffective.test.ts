// Mistakes that keep a policy from ever matching: commands fail, with lint's message and place.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

interface Mistake {
  readonly groups?: string;
  readonly resources?: string;
  readonly policyName?: string;
  readonly annotation?: string;
}

const policy = ({
  groups = "apps",
  resources = "deployments",
  policyName = "limit",
  annotation = "",
}: Mistake): string =>
  `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: limit, annotations: { celadon.dev/lint-ignore: "${annotation}" } }
spec:
  matchConstraints:
    resourceRules:
    - { apiGroups: ["${groups}"], apiVersions: [v1], operations: [CREATE], resources: [${resources}] }
  validations: [{ expression: object.spec.replicas < 5 }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: ${policyName}, validationActions: [Deny] }
`;
const WEB = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { replicas: 9, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }] } } }
`;
const filesWith = (mistake: Mistake) => ({ "p.yaml": policy(mistake), "web.yaml": WEB });

// biome-ignore format: one case per line
const cases = [
  { name: "a group that lacks the resource",        mistake: { groups: "" },              message: 'resource "deployments" does not exist in v1',                          place: "p.yaml:7:79",  help: 'deployments are in apiGroup "apps"' },
  { name: "a kind in place of a resource",          mistake: { resources: "Deployment" }, message: 'resource "Deployment" does not exist in apps/v1',                      place: "p.yaml:7:83",  help: 'did you mean "deployments"?' },
  { name: "a binding that misspells the policy",    mistake: { policyName: "limits" },        message: 'policy "limits" does not exist, so the binding has no effect',             place: "p.yaml:13:21", help: 'did you mean "limit"?' },
];

test.each(cases)("check fails for $name", async ({ mistake, message, place, help }) => {
  const { code, stdout } = await runLine(["check", "-f", "p.yaml", "-f", "web.yaml"], { files: filesWith(mistake) });
  expect(code).toBe(1);
  expect(stdout).toContain(`✗ policy limit is never enforced\n    ${message}   ${place}\n    help: ${help}\n`);
  expect(stdout).toContain("3 objects, 3 allowed, 0 denied, 1 policy never enforced\n");
  expect(stdout).not.toContain("matched nothing");
});

test.each(cases)("explain and test fail with a note for $name", async ({ mistake, message, place, help }) => {
  const note = `${place}: policy limit is never enforced: ${message} (${help})\n`;
  const files = filesWith(mistake);
  expect(await runLine(["explain", "-f", "p.yaml", "-f", "web.yaml"], { files })).toMatchObject({
    code: 1,
    stderr: note,
  });
  const suite = `apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [p.yaml]\nobjects: [web.yaml]\ntests: [{ name: too many, object: web, expect: deny }]\n`;
  const tested = await runLine(["test", "tests.yaml"], { files: { ...files, "tests.yaml": suite } });
  expect(tested).toMatchObject({ code: 1, stderr: note });
});

test("JSON has the problem beside the policy, SARIF lint's rule", async () => {
  const files = filesWith({ groups: "" });
  const argv = ["check", "-f", "p.yaml", "-f", "web.yaml", "-o"];
  const report = JSON.parse((await runLine([...argv, "json"], { files })).stdout);
  expect(report.summary).toMatchObject({ unmatchedPolicies: 1, ineffectivePolicies: 1 });
  expect(report.policies[0].problems).toMatchObject([{ code: "unknown_resource", place: { line: 7, column: 79 } }]);
  expect((await runLine([...argv, "sarif"], { files })).stdout).toContain('"lint/unknown_resource"');
});

test("a policy that exists already is a warning", async () => {
  const argv = ["check", "-f", "web.yaml", "--existing", "p.yaml"];
  const { code, stdout } = await runLine(argv, { files: filesWith({ groups: "" }) });
  expect(code).toBe(0);
  expect(stdout).toContain("! policy limit is never enforced\n");
  const explained = await runLine(["explain", ...argv.slice(1)], { files: filesWith({ groups: "" }) });
  expect(explained.code).toBe(0);
  expect(explained.stderr).toContain("policy limit is never enforced");
});

test("an ignored code is not reported", async () => {
  const files = filesWith({ groups: "", annotation: "unknown_resource" });
  const { code, stdout } = await runLine(["check", "-f", "p.yaml", "-f", "web.yaml"], { files });
  expect(code).toBe(0);
  expect(stdout).toContain("! policy limit matched nothing");
});

test("a policy with another binding is enforced", async () => {
  const [, binding = ""] = policy({}).split("---\n");
  const other = `${policy({ policyName: "limits" })}---\n${binding.replace("name: b", "name: c")}`;
  const { code, stdout } = await runLine(["check", "-f", "p.yaml", "-f", "web.yaml"], {
    files: { "p.yaml": other, "web.yaml": WEB },
  });
  expect(code).toBe(1);
  expect(stdout).toContain("denied by policy limit, binding c");
  expect(stdout).not.toContain("never enforced");
});
