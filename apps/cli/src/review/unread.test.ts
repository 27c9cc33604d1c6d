// Every command continues with its readable inputs, and none passes while an input was left unread.

import { describe, expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: few}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [deployments]}]
  validations: [{expression: "!has(object.spec.replicas) || object.spec.replicas <= 5"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: few}
spec: {policyName: few, validationActions: [Deny]}
`;
const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: queues, singular: queue, kind: Queue, listKind: QueueList}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object}}}}}
`;
const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}
`;
const SUITE = `apiVersion: celadon.dev/v1
kind: TestSuite
resources: [few.yaml]
tests:
- name: two replicas
  object: ../objects/web.yaml
  expect: allow
`;
const KYVERNO = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: named}
spec:
  validationFailureAction: Enforce
  rules:
  - name: named
    match: {any: [{resources: {kinds: [Service]}}]}
    validate:
      cel: {expressions: [{expression: "object.metadata.name != ''", message: unnamed}]}
`;

const FILES = {
  "policies/few.yaml": POLICY,
  "objects/web.yaml": DEPLOYMENT,
  "crds/queue.yaml": CRD,
  "suites/few.yaml": POLICY,
  "suites/tests.yaml": SUITE,
  "kyverno/policy.yaml": KYVERNO,
};

// biome-ignore format: one command per line
const COMMANDS = [
  { verb: "check",       argv: ["check", "policies", "objects"],                 within: "policies", shows: "✓ Deployment default/web" },
  { verb: "explain",     argv: ["explain", "-f", "policies", "-f", "objects", "Deployment/web"], within: "policies", shows: "Deployment default/web" },
  { verb: "mutate",      argv: ["mutate", "policies", "objects"],                within: "policies", shows: "kind: Deployment" },
  { verb: "lint",        argv: ["lint", "policies"],                             within: "policies", shows: "2 resources" },
  { verb: "cost",        argv: ["cost", "policies"],                             within: "policies", shows: "few" },
  { verb: "fuzz",        argv: ["fuzz", "policies", "--runs", "5"],              within: "policies", shows: "0 problems" },
  { verb: "prove",       argv: ["prove", "policies"],                            within: "policies", shows: "0 problems" },
  { verb: "autogen",     argv: ["autogen", "policies"],                          within: "policies", shows: "" },
  { verb: "diff",        argv: ["diff", "policies", "suites/few.yaml", "-f", "objects"], within: "policies", shows: "no verdict changes" },
  { verb: "diff objects", argv: ["diff", "policies", "suites/few.yaml", "-f", "objects"], within: "objects", shows: "no verdict changes" },
  { verb: "check --old", argv: ["check", "policies", "objects", "--old", "crds"], within: "crds",    shows: "✓ Deployment default/web" },
  { verb: "check --existing", argv: ["check", "policies", "objects", "--existing", "crds"], within: "crds", shows: "✓ Deployment default/web" },
  { verb: "crd upgrade", argv: ["crd", "upgrade", "crds", "crds/queue.yaml"],    within: "crds",     shows: "queues.example.com" },
  { verb: "fmt",         argv: ["fmt", "--check", "policies"],                   within: "policies", shows: "1 file, 0 would change" },
  { verb: "convert",     argv: ["convert", "kyverno"],                           within: "kyverno",  shows: "kind: ValidatingAdmissionPolicy" },
  { verb: "test",        argv: ["test", "suites"],                               within: "suites",   shows: "1 passed" },
];

// fmt reports mistakes in YAML with the expressions it formats: only text in another encoding is unreadable to it.
const BROKEN = { "few.yaml": "a: [\n", "bytes.yaml": new Uint8Array([0x61, 0xff, 0x0a]) };
const brokenSuite = "apiVersion: celadon.dev/v1\nkind: TestSuite\ntests: [\n";

describe.each(COMMANDS)("$verb", ({ verb, argv, within, shows }) => {
  const name = verb === "fmt" ? "bytes.yaml" : "few.yaml";
  const text = verb === "test" ? brokenSuite : BROKEN[name];
  const files = { ...FILES, [`${within}/sub/${name}`]: text };

  test("everything else is judged", async () => {
    const whole = await runLine(argv, { files: FILES });
    expect(whole.stderr).not.toContain("cannot read");
    expect(whole.stdout).toContain(shows);
    const { code, stdout, stderr } = await runLine(argv, { files });
    expect(code).toBe(2);
    expect(stderr).toContain(`${within}/sub/${name}`);
    expect(stdout).toContain(shows);
  });

  test("--strict-files ends without results", async () => {
    const { code, stdout } = await runLine([...argv, "--strict-files"], { files });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("--exclude leaves it out", async () => {
    const { code } = await runLine([...argv, "--exclude", "sub/"], { files });
    expect(code).toBe((await runLine(argv, { files: FILES })).code);
  });

  test.skipIf(verb === "convert")("reports have it", async () => {
    const { stdout } = await runLine([...argv, "-o", "junit"], { files });
    expect(stdout).toContain(`<testsuite name="${within}/sub/${name}" tests="1" failures="0" errors="1"`);
  });

  test("charts are skipped", async () => {
    const chart = {
      "chart/Chart.yaml": "name: a\n",
      "chart/templates/a.yaml": "{{ if }}\n",
      "t.yaml": "a: {{ .b }}\n",
    };
    const beside = Object.fromEntries(Object.entries(chart).map(([path, value]) => [`${within}/sub/${path}`, value]));
    const { code, stderr } = await runLine(argv, { files: { ...FILES, ...beside } });
    expect({ stderr, code }).toMatchObject({ code: (await runLine(argv, { files: FILES })).code });
  });
});
