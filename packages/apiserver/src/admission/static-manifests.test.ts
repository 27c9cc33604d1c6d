// Policies and webhooks from directories: the loaded ones, the refused ones, and those in force.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";
import { readAdmissionConfiguration } from "./admission-configuration.ts";
import { loadStaticManifests, type StaticPlugin } from "./static-manifests.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "celadon-static-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);

const policy = (name: string, expression: string, resources = ["configmaps"], group = "", more = ""): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  ${more}
  matchConstraints:
    resourceRules:
    - {apiGroups: ["${group}"], apiVersions: ["v1"], operations: ["*"], resources: ${JSON.stringify(resources)}}
  validations:
  - {expression: "${expression}", message: "not here"}
`;
const binding = (name: string, policyName: string, more = ""): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${policyName}, validationActions: [Deny]${more}}
`;
const P = "p.static.k8s.io";
const B = "b.static.k8s.io";
const webhook = (clientConfig: string): string => `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w.static.k8s.io}
webhooks:
- {name: a.example.com, clientConfig: ${clientConfig}, sideEffects: None, admissionReviewVersions: [v1]}
`;

// biome-ignore format: one case per line
const refused: [what: string, plugin: StaticPlugin, text: string, message: string][] = [
  ["a name without the suffix", "ValidatingAdmissionPolicy", policy("p", "true"),                        `error loading FILE: "p" in file "FILE" must have a name ending with ".static.k8s.io"`],
  ["a name twice",              "ValidatingAdmissionPolicy", `${policy(P, "true")}---${policy(P, "true")}`, `error loading FILE: duplicate name "${P}" found in file "FILE" (previously seen in "FILE")`],
  ["params of a policy",        "ValidatingAdmissionPolicy", policy(P, "true", ["pods"], "", "paramKind: {apiVersion: v1, kind: ConfigMap}"), `error loading FILE: ValidatingAdmissionPolicy "${P}": spec.paramKind is not supported for static manifests`],
  ["params of a binding",       "ValidatingAdmissionPolicy", `${policy(P, "true")}---${binding(B, P, ", paramRef: {name: x, parameterNotFoundAction: Deny}")}`, `error loading FILE: binding "${B}": spec.paramRef is not supported for static manifests`],
  ["a binding to the API",      "ValidatingAdmissionPolicy", binding(B, "p"),                            `error loading FILE: binding "${B}": spec.policyName "p" must end with ".static.k8s.io"`],
  ["a binding to nothing",      "ValidatingAdmissionPolicy", binding(B, "x.static.k8s.io"),              `binding "${B}" references policy "x.static.k8s.io" which does not exist in the manifest directory`],
  ["another plugin's kind",     "ValidatingAdmissionPolicy", webhook('{url: "https://x/"}'),             "error loading FILE: unsupported resource type *v1.ValidatingWebhookConfiguration"],
  ["a field nobody knows",      "ValidatingAdmissionPolicy", policy(P, "true", ["pods"], "", "speed: 1"),  'error loading FILE: strict decoding error: unknown field "spec.speed"'],
  ["an invalid policy",         "ValidatingAdmissionPolicy", policy(P, "true", ["pods"], "", "failurePolicy: Maybe"), 'error loading FILE: spec.failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"'],
  ["a service",                 "ValidatingAdmissionWebhook", webhook("{service: {namespace: a, name: b}}"), 'error loading FILE: webhook "a.example.com" in "w.static.k8s.io" (file "FILE"): clientConfig.service is not supported for static manifests; use clientConfig.url instead'],
];

test.each(refused)("%s is refused", (_, plugin, text, message) => {
  write("one.yaml", text);
  expect(() => loadStaticManifests(plugin, directory)).toThrow(message.replaceAll("FILE", join(directory, "one.yaml")));
});

test("YAML and JSON files are read, lists are split, other files are ignored", () => {
  write("b.yml", policy("b.static.k8s.io", "true"));
  const item = { metadata: { name: "a.static.k8s.io" }, spec: { validations: [{ expression: "true" }] } };
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] };
  const items = [{ ...item, spec: { ...item.spec, matchConstraints: { resourceRules: [rule] } } }];
  const apiVersion = "admissionregistration.k8s.io/v1";
  write("z.JSON", JSON.stringify({ apiVersion, kind: "ValidatingAdmissionPolicyList", items }));
  write("notes.txt", "nothing");
  write("empty.yaml", "");
  const { resources, hash } = loadStaticManifests("ValidatingAdmissionPolicy", directory);
  expect(resources.map(({ metadata }) => metadata.name)).toEqual(["a.static.k8s.io", "b.static.k8s.io"]);
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("static policies are in force, also for policies, and their names are theirs", async () => {
  write("p.yaml", `${policy(P, "object.metadata.name != 'bad'")}---${binding(B, P)}`);
  const group = "admissionregistration.k8s.io";
  const keep = policy("keep.static.k8s.io", "request.operation != 'DELETE'", ["validatingadmissionpolicies"], group);
  write("q.yaml", `${keep}---${binding("k.static.k8s.io", "keep.static.k8s.io")}`);
  const { admin, server } = await testServer({ staticManifests: { ValidatingAdmissionPolicy: directory } });
  const create = async (name: string) => (await admin.call("POST", CONFIG_MAPS, { body: configMap(name) })).json();
  expect((await create("bad")).message).toBe(
    `configmaps "bad" is forbidden: ValidatingAdmissionPolicy '${P}' with binding '${B}' denied request: not here`,
  );
  expect((await create("good")).metadata.name).toBe("good");
  const policies = `/apis/${group}/v1/validatingadmissionpolicies`;
  const made = async (name: string) => {
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] };
    const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "true" }] };
    const body = { apiVersion: `${group}/v1`, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec };
    return (await admin.call("POST", policies, { body })).json();
  };
  expect((await made("x.static.k8s.io")).message).toContain(
    'metadata.name: Invalid value: "x.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed via the API',
  );
  await made("plain");
  expect((await admin.call("DELETE", `${policies}/plain`)).json().message).toContain("keep.static.k8s.io");
  expect((await admin.call("GET", policies)).json().items).toHaveLength(1);

  // A change of the files is soon in force; if it cannot be loaded, the previous state stays.
  const reloads = async (status: string): Promise<boolean> =>
    new RegExp(
      `_automatic_reloads_total\\{plugin="ValidatingAdmissionPolicy",status="${status}".*\\} [${status === "success" ? 2 : 1}-9]`,
    ).test((await admin.call("GET", "/metrics")).text);
  write("p.yaml", policy("broken", "true"));
  while (!(await reloads("failure"))) await new Promise((done) => setTimeout(done, 5));
  expect((await create("bad")).code).toBe(422);
  rmSync(join(directory, "p.yaml"));
  while (!(await reloads("success"))) await new Promise((done) => setTimeout(done, 5));
  expect((await create("bad")).metadata.name).toBe("bad");
  await server.close();
});

test("a server does not start without its policies", async () => {
  write("p.yaml", policy("p", "true"));
  const start = (path: string) => testServer({ staticManifests: { ValidatingAdmissionPolicy: path } });
  await expect(start(directory)).rejects.toThrow(
    `failed to load static policy manifests from "${directory}": error loading`,
  );
  await expect(start("here")).rejects.toThrow(
    'staticManifestsDir: Invalid value: "here": must be an absolute file path',
  );
  await expect(start(join(directory, "none"))).rejects.toThrow("unable to read: stat");
  await expect(start(join(directory, "p.yaml"))).rejects.toThrow("must be a directory");
});

test("a file says which directory belongs to which plugin; other settings are refused", () => {
  const apiVersion = "apiserver.config.k8s.io/v1";
  const read = (...plugins: object[]) =>
    readAdmissionConfiguration({ apiVersion, kind: "AdmissionConfiguration", plugins }, () => ({
      apiVersion,
      kind: "WebhookAdmission",
      kubeConfigFile: "",
      staticManifestsDir: "/w",
    }));
  const configuration = (more: object) => ({ apiVersion, kind: "ValidatingAdmissionPolicyConfiguration", ...more });
  const own = (more: object) => ({ name: "ValidatingAdmissionPolicy", configuration: configuration(more) });
  expect(read(own({ staticManifestsDir: "/p" }), { name: "MutatingAdmissionWebhook", path: "w.yaml" })).toEqual({
    ValidatingAdmissionPolicy: "/p",
    MutatingAdmissionWebhook: "/w",
  });
  expect(read({ name: "PodSecurity", configuration: {} })).toMatchObject({
    problem: expect.stringContaining("PodSecurity is not supported"),
  });
  expect(read(own({ speed: 1 }))).toEqual({
    problem: "plugins[0]: speed is not supported; only staticManifestsDir is",
  });
  expect(readAdmissionConfiguration({ kind: "Other" }, () => ({}))).toMatchObject({
    problem: expect.stringContaining("apiVersion and kind"),
  });
});
