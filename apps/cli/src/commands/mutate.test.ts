import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: team}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]}
  reinvocationPolicy: Never
  mutations:
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {'team': 'shop'}}}"}}
  - {patchType: JSONPatch, jsonPatch: {expression: "[JSONPatch{op: 'test', path: '/data/a', value: 'x'}, JSONPatch{op: 'remove', path: '/data/a'}]"}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: team}
spec: {policyName: team}
`;
const VALIDATING = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-shop}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]}
  validations: [{expression: "!has(object.metadata.labels) || object.metadata.labels[?'team'].orValue('') != 'shop'", message: no shop}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: no-shop}
spec: {policyName: no-shop, validationActions: [Deny]}
`;
const WEBHOOK = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: side.example.com
  clientConfig: {url: "https://side.example.com"}
  sideEffects: None
  admissionReviewVersions: [v1]
  rules: [{apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE]}]
`;
const files = {
  "policy.yaml": POLICY,
  "validating.yaml": VALIDATING,
  "webhook.yaml": WEBHOOK,
  "answers.yaml": "side.example.com:\n  patch: [{op: add, path: /data/b, value: z}]\n",
  "list.yaml": "[]\n",
  "a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: x, c: d}\n",
  "b.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\ndata: {a: z}\n",
};

const stored = (name: string, data: unknown) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels: { team: "shop" } },
  data,
});

test("objects as they would be stored, without the set-up", async () => {
  const { code, stdout } = await runLine(["mutate", "-f", "policy.yaml", "-f", "a.yaml", "-o", "json"], { files });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(stored("a", { c: "d" }));
});

test("a policy that changes nothing because it is not bound, or does not match, is reported", async () => {
  const [policy = ""] = POLICY.split("---\n");
  const unbound = await runLine(["mutate", "policy.yaml", "a.yaml"], { files: { ...files, "policy.yaml": policy } });
  expect([unbound.code, unbound.stderr]).toEqual([
    0,
    "policy.yaml: mutating policy team matched nothing: the policy has no binding\n",
  ]);
  const pod = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n";
  const other = await runLine(["mutate", "policy.yaml", "s.yaml"], { files: { ...files, "s.yaml": pod } });
  expect(other.stderr).toContain("mutating policy team matched nothing: no resource rule matches");
  expect(
    (await runLine(["mutate", "policy.yaml", "s.yaml", "-q"], { files: { ...files, "s.yaml": pod } })).stderr,
  ).toBe("");
});

test("several are a list; a test that does not hold changes nothing", async () => {
  const { stdout } = await runLine(["mutate", "policy.yaml", "a.yaml", "b.yaml", "-o", "json"], { files });
  expect(JSON.parse(stdout)).toEqual({
    apiVersion: "v1",
    kind: "List",
    items: [stored("a", { c: "d" }), stored("b", { a: "z" })],
  });
});

test("text is a stream of YAML documents", async () => {
  const { stdout } = await runLine(["mutate", "policy.yaml", "a.yaml", "b.yaml"], { files });
  expect(stdout.match(/^---$/gm)).toHaveLength(2);
  expect(stdout).toContain("  labels:\n    team: shop\n");
});

test("with the response of a webhook", async () => {
  const argv = ["mutate", "webhook.yaml", "b.yaml", "--webhook-answers", "answers.yaml", "-o", "json"];
  const { stdout } = await runLine(argv, { files });
  expect(JSON.parse(stdout)).toMatchObject({ data: { a: "z", b: "z" } });
});

test("invalid webhook responses", async () => {
  const argv = ["mutate", "webhook.yaml", "b.yaml", "--webhook-answers", "list.yaml"];
  const { code, stderr } = await runLine(argv, { files });
  expect(code).toBe(2);
  expect(stderr).toContain("list.yaml: must be an object: answers by the names of webhooks");
});

test("an object that is denied afterwards is reported, not printed", async () => {
  const { code, stdout, stderr } = await runLine(["mutate", "policy.yaml", "validating.yaml", "a.yaml"], { files });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("no shop");
});

test("check shows what changed and by whom", async () => {
  const { stdout } = await runLine(["check", "policy.yaml", "a.yaml"], { files });
  expect(stdout).toContain(`✓ ConfigMap default/a  a.yaml:1  allowed
    ~ changed by mutating policy team, binding team, mutations[0]
        + metadata.labels: {"team":"shop"}
    ~ changed by mutating policy team, binding team, mutations[1]
        - data.a
`);
});

test("check counts mutating policies that matched nothing", async () => {
  const { stdout } = await runLine(["check", "policy.yaml"], { files });
  expect(stdout).toContain("! mutating policy team matched nothing: no resource rule matches");
});

test("explain shows every step, and the expressions behind it", async () => {
  const { stdout } = await runLine(["explain", "-f", "policy.yaml", "-f", "b.yaml", "ConfigMap/b"], { files });
  expect(stdout).toContain(`mutation
  ~ mutating policy team, binding team, mutations[0]: changed the object
      + metadata.labels: {"team":"shop"}
  · mutating policy team, binding team, mutations[1]: skipped, because a test operation of the patch failed
`);
  expect(stdout).toContain("mutating policy team   policy.yaml:3:");
  expect(stdout).toContain("policy.yaml:8:");
});

test("the change and its place for machines", async () => {
  const { stdout } = await runLine(["check", "policy.yaml", "a.yaml", "-o", "json"], { files });
  const { objects } = JSON.parse(stdout) as { objects: { object: { kind: string }; mutations?: unknown }[] };
  expect(objects.find(({ object }) => object.kind === "ConfigMap")?.mutations).toEqual([
    {
      by: { kind: "MutatingAdmissionPolicy", name: "team", binding: "team", index: 0 },
      round: 0,
      outcome: "changed",
      changes: [{ op: "add", path: "/metadata/labels", value: { team: "shop" } }],
    },
    {
      by: { kind: "MutatingAdmissionPolicy", name: "team", binding: "team", index: 1 },
      round: 0,
      outcome: "changed",
      changes: [{ op: "remove", path: "/data/a", old: "x" }],
    },
  ]);
});
