import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const FILES = {
  "policy.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: rules.acme.io/v1, kind: Limit}
  matchConstraints: {resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: [CREATE, UPDATE]}]}
  matchConditions: [{name: not-admin, expression: "request.userInfo.username != 'kubernetes-admin'"}]
  validations: [{expression: "int(object.data.size) <= params.max", message: too large}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  policyName: limit
  validationActions: [Deny]
  paramRef: {name: prod, namespace: policies, parameterNotFoundAction: Deny}
`,
  "crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: limits.rules.acme.io}
spec:
  group: rules.acme.io
  scope: Namespaced
  names: {plural: limits, singular: limit, kind: Limit, listKind: LimitList}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {max: {type: integer}}}}
`,
  "params.yaml": "apiVersion: rules.acme.io/v1\nkind: Limit\nmetadata: {name: prod, namespace: policies}\nmax: 3\n",
  "rbac.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: any, namespace: shop}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
`,
  "object.yaml":
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big, namespace: policies}\ndata: {size: '5', note: kept}\n",
};
const ALL = Object.keys(FILES).flatMap((path) => ["-f", path]);
const allowed = (stdout: string): Record<string, boolean> =>
  Object.fromEntries(
    (JSON.parse(stdout).objects as { object: { kind: string }; allowed: boolean }[]).map((object) => [
      object.object.kind,
      object.allowed,
    ]),
  );

test("the set-up is an administrator's, and the user writes the rest", async () => {
  const { stdout } = await runLine(["check", ...ALL, "--as", "ann", "-o", "json"], { files: FILES });
  expect(allowed(stdout)).toEqual({
    ValidatingAdmissionPolicy: true,
    ValidatingAdmissionPolicyBinding: true,
    CustomResourceDefinition: true,
    Limit: true,
    Role: true,
    ConfigMap: false,
  });
});

const SETUP = ["crd.yaml", "params.yaml", "rbac.yaml"].flatMap((path) => ["--existing", path]);
const WRITTEN = ["-f", "policy.yaml", "-f", "object.yaml", "--as", "ann"];

test("beside what exists the user writes everything, and a rejected policy is not in force", async () => {
  const { code, stdout } = await runLine(["check", ...WRITTEN, ...SETUP], { files: FILES });
  expect(code).toBe(1);
  expect(stdout).toContain('must have "get" permission on all objects of the referenced paramKind');
  expect(stdout).toContain("ValidatingAdmissionPolicy limit was rejected, so it is not in force\n");
  expect(stdout).toMatch(/✓ ConfigMap policies\/big .* allowed\n/);
  expect(stdout).toContain("3 objects, 1 allowed, 2 denied\n");
});

test.each(["explain", "mutate"])("%s: a rejected policy is not in force, and says so", async (verb) => {
  const names = verb === "explain" ? ["ConfigMap/big"] : [];
  const { code, stdout, stderr } = await runLine([verb, ...WRITTEN, ...SETUP, ...names], { files: FILES });
  expect({ code, stderr }).toMatchObject({ code: 1 });
  expect(stderr).toContain("ValidatingAdmissionPolicy limit was rejected, so it is not in force");
  expect(stdout).toContain(verb === "explain" ? "\nallowed\n" : 'size: "5"');
  expect(stdout).not.toContain("too large");
});

test("an update that is rejected leaves what exists", async () => {
  const next = FILES["policy.yaml"].replace("<= params.max", "<= params.max && nothing");
  const files = { ...FILES, "next.yaml": next };
  const existing = ["--existing", "policy.yaml", ...SETUP];
  const { stdout } = await runLine(["check", "-f", "next.yaml", "-f", "object.yaml", "--as", "ann", ...existing], {
    files,
  });
  expect(stdout).toContain("ValidatingAdmissionPolicy limit was rejected, so the existing one stays in force\n");
  expect(stdout).toContain("✗ denied by policy limit, binding limit, params policies/prod");
});

test("standard input is one of them", async () => {
  const { code, stderr } = await runLine(["check", "-f", "-", "--existing", "-"], {
    files: FILES,
    stdin: FILES["object.yaml"],
  });
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("standard input cannot be read for both -f and --existing"),
  });
});

test("params of a kind without a definition: what to add", async () => {
  const without = ["policy.yaml", "params.yaml", "object.yaml"].flatMap((path) => ["-f", path]);
  const help = "help: add the CustomResourceDefinition of Limit (rules.acme.io/v1) to the inputs\n";
  const checked = await runLine(["check", ...without, "--as", "ann"], { files: FILES });
  expect(checked.stdout).toContain(`        ${help}`);
  const explained = await runLine(["explain", ...without, "--as", "ann"], { files: FILES });
  expect(explained.stdout).toContain(`  ${help}`);
  const wrong = { ...FILES, "policy.yaml": FILES["policy.yaml"].replace("kind: Limit}", "kind: Limits}") };
  expect((await runLine(["check", ...ALL, "--as", "ann"], { files: wrong })).stdout).toContain(
    "help: did you mean Limit?",
  );
});

test("metadata is the API server's own, and the rest of a custom resource its definition's", async () => {
  const files = {
    "crd.yaml": FILES["crd.yaml"],
    "bad.yaml": "apiVersion: rules.acme.io/v1\nkind: Limit\nmetadata: {name: Bad_Name}\nmax: x\n",
  };
  const { stdout } = await runLine(["check", "-f", "crd.yaml", "-f", "bad.yaml", "-o", "json"], { files });
  const [, { problems }] = JSON.parse(stdout).objects;
  const found = (problems as { system: string; path: string; by?: { name: string } }[]).map(({ system, path, by }) => [
    system,
    path,
    by?.name,
  ]);
  expect(found).toEqual([
    ["validation", "metadata.name", undefined],
    ["schema", "max", "limits.rules.acme.io"],
  ]);
});
