// The order of the chain, the assumptions, and the forms in which the set-up and params are read.

import type { KubeObject } from "@celadon/kube";
import { expect, test } from "vitest";
import type { IntendedRequest } from "./request/intended-request.ts";
import { SimulatedCluster, type SimulatedClusterOptions } from "./simulated/simulated-cluster.ts";

const admission = "admissionregistration.k8s.io/v1";
const everything = [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], operations: ["*"] }];
const policy = (name: string, expression: string, spec: object = {}, apiVersion = admission): KubeObject => ({
  apiVersion,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name },
  spec: { matchConstraints: { resourceRules: everything }, validations: [{ expression, message: name }], ...spec },
});
const binding = (name: string, spec: object = {}, apiVersion = admission): KubeObject => ({
  apiVersion,
  kind: "ValidatingAdmissionPolicyBinding",
  metadata: { name },
  spec: { policyName: name, validationActions: ["Deny"], ...spec },
});
const hook = (kind: string, condition: string): KubeObject => ({
  apiVersion: admission,
  kind,
  metadata: { name: "w" },
  webhooks: [
    {
      name: "w.example.com",
      rules: everything,
      clientConfig: { url: "https://w.example.com/" },
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      matchConditions: [{ name: "c", expression: condition }],
    },
  ],
});
const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: {
        spec: { type: "object", default: {}, properties: { max: { type: "integer", default: 7, maximum: 9 } } },
      },
    },
  },
});
const definition = (spec: object = {}): KubeObject => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "limits.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "limits", kind: "Limit" },
    versions: [version("v1", true), version("v1beta1", false)],
    ...spec,
  },
});
const limit = (apiVersion: string, spec: object = {}): KubeObject => ({
  apiVersion: `example.com/${apiVersion}`,
  kind: "Limit",
  metadata: { name: "l" },
  spec,
});
const role = (resources: string[]): KubeObject => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "r" },
  rules: [{ apiGroups: [""], resources, verbs: ["get"] }],
});
const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" } };
const bound = {
  apiVersion: "v1",
  kind: "Binding",
  metadata: { name: "web" },
  target: { kind: "Node", name: "n" },
} as KubeObject;
const odd: KubeObject = { ...map, dada: {} };
const params = { paramKind: { apiVersion: "example.com/v1", kind: "Limit" } };
const ref = { paramRef: { name: "l", parameterNotFoundAction: "Deny" } };
const ann = { username: "ann", groups: ["system:authenticated"] };
const ERROR = "object.no.such == 1";

const NOT_FOUND = "the server could not find the requested resource";

// `returned` is the refusal a server answers with; `said` the assumptions, or parts of them.
// biome-ignore format: one case per line
const cases: { name: string; simulated: KubeObject[]; ask: IntendedRequest; options?: SimulatedClusterOptions; returned?: string; status?: string; told?: string[]; said?: string[]; warnings?: string[] }[] = [
  { name: "decoding before mutating webhooks",      simulated: [hook("MutatingWebhookConfiguration", ERROR)],   ask: { object: odd },                               returned: 'unknown field "dada"' },
  { name: "mutating webhooks before validation",    simulated: [hook("MutatingWebhookConfiguration", ERROR), definition()], ask: { object: limit("v1", { max: 10 }) }, returned: "no such key: no" },
  { name: "validation before policies",             simulated: [definition(), policy("p", "false"), binding("p")], ask: { object: limit("v1", { max: 10 }) },      returned: "spec.max: Invalid value: 10" },
  { name: "policies before validating webhooks",    simulated: [hook("ValidatingWebhookConfiguration", ERROR), policy("p", "false"), binding("p")], ask: { object: map }, returned: "p" },
  { name: "validating webhooks last",               simulated: [hook("ValidatingWebhookConfiguration", ERROR)], ask: { object: map },                               returned: "no such key: no" },
  { name: "a mutating webhook that is called",      simulated: [hook("MutatingWebhookConfiguration", "true")],  ask: { object: map },                               said: ['webhook "w.example.com" is not called, so its changes to the object'] },
  { name: "it sees no name that is generated",      simulated: [hook("MutatingWebhookConfiguration", "has(object.metadata.name)")], ask: { object: { ...map, metadata: { generateName: "m-" } } }, said: [] },
  { name: "a validating webhook does",              simulated: [hook("ValidatingWebhookConfiguration", "object.metadata.name.no == 1")], ask: { object: { ...map, metadata: { generateName: "m-" } } }, returned: 'configmaps "m-xxxxx" is forbidden' },
  { name: "a refused request has no warnings of policies", simulated: [policy("p", "false"), binding("p", { validationActions: ["Warn"] })], ask: { object: odd }, returned: 'unknown field "dada"', warnings: [] },
  { name: "an admitted one has",                    simulated: [policy("p", "false"), binding("p", { validationActions: ["Warn"] })], ask: { object: odd }, options: { fieldValidation: "Warn" }, warnings: ['unknown field "dada"', "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': p"] },
  { name: "policies of versions that are gone",     simulated: [policy("p", "false", {}, "admissionregistration.k8s.io/v1beta1"), binding("p", {}, "admissionregistration.k8s.io/v1beta1")], ask: { object: map } },
  { name: "policies are exempt from policies",      simulated: [policy("p", "false"), binding("p")],            ask: { object: policy("q", "true") } },
  { name: "definitions are not, with defaults",     simulated: [policy("p", "object.kind != 'CustomResourceDefinition' || object.spec.conversion.strategy != 'None'"), binding("p")], ask: { object: definition() }, returned: "p" },
  { name: "params in another version, defaulted",   simulated: [definition(), limit("v1beta1"), policy("p", "params.apiVersion != 'example.com/v1' || params.spec.max != 7", params), binding("p", ref)], ask: { object: map }, returned: "p" },
  { name: "params that do not exist",              simulated: [definition(), policy("p", "true", params), binding("p", ref)], ask: { object: map },                returned: "no params found" },
  { name: "an update of a policy may keep metadata out", simulated: [],                                         ask: { object: policy("p", "true"), oldObject: policy("p", "false") } },
  { name: "an update of a definition is one",       simulated: [],                                              ask: { object: definition({ scope: "Cluster" }), oldObject: definition() }, returned: "spec.scope: Invalid value" },
  { name: "a refused definition",                   simulated: [definition({ scope: "Here" })],                 ask: { object: limit("v1") },                       said: ['assuming that example.com/v1, Kind=Limit is the resource "limits", cluster-scoped'], told: ['CustomResourceDefinition "limits.example.com" was rejected, so example.com/v1 Limit is not validated'] },
  { name: "a version that is not served",           simulated: [definition()],                                  ask: { object: limit("v2"), namespace: "n" },       returned: 'no matches for kind "Limit" in version "example.com/v2"; use example.com/v1 or example.com/v1beta1', status: NOT_FOUND },
  { name: "a built-in kind that is misspelt",       simulated: [],                                              ask: { object: { ...map, kind: "ConfgMap" } },      returned: 'no matches for kind "ConfgMap" in version "v1"; did you mean "ConfigMap"?', status: NOT_FOUND },
  { name: "a version that was removed",             simulated: [],                                              ask: { object: { ...map, apiVersion: "extensions/v1beta1", kind: "Ingress" } }, returned: "removed in Kubernetes 1.22; use networking.k8s.io/v1", status: NOT_FOUND },
  { name: "a version that is to come",              simulated: [],                                              ask: { object: policy("p", "true") }, options: { kubeVersion: "1.25" }, returned: "served from Kubernetes 1.30 on", status: NOT_FOUND },
  { name: "a kind nobody knows",                    simulated: [],                                              ask: { object: limit("v1") },                       told: ["no CustomResourceDefinition for example.com/v1 Limit in the inputs, so it is not validated"] },
  { name: "which may be refused",                   simulated: [],                                              ask: { object: limit("v1") }, options: { unknownKinds: "error" }, returned: "no CustomResourceDefinition for example.com/v1 Limit", status: NOT_FOUND },
  { name: "or passed over",                         simulated: [],                                              ask: { object: limit("v1") }, options: { unknownKinds: "ignore" }, told: [] },
  { name: "an update of nothing",                   simulated: [],                                              ask: { object: map, operation: "UPDATE" },          said: ["no old object is given"] },
  { name: "no such subresource",                    simulated: [],                                              ask: { object: map, oldObject: map, subresource: "status" }, said: ['configmaps has no subresource "status"'] },
  { name: "a dry run is requested in the options",  simulated: [policy("p", "request.options.dryRun != ['All']"), binding("p")], ask: { object: map, dryRun: true }, returned: "p" },
  { name: "options may ask for a dry run",          simulated: [policy("p", "!request.dryRun"), binding("p")],  ask: { object: map, options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions", dryRun: ["All"] } as KubeObject }, returned: "p" },
  { name: "a Binding for a pod",                    simulated: [policy("p", "request.subResource != 'binding'", { matchConstraints: { resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods/binding"] }] } }), binding("p")], ask: { object: bound, subresource: "binding" }, returned: "p" },
  { name: "a kind that is not a string",                 simulated: [],                                              ask: { object: { ...map, kind: 1 as unknown as string } }, returned: "cannot unmarshal number into Go struct field .kind" },
  { name: "params nobody may read",                 simulated: [role(["pods"])],                                ask: { object: policy("p", "true", { paramKind: { apiVersion: "v1", kind: "Secret" } }), user: ann }, returned: 'must have "get" permission' },
  { name: "not asked where no RBAC is given",       simulated: [],                                              ask: { object: policy("p", "true", { paramKind: { apiVersion: "v1", kind: "Secret" } }), user: ann } },
];

test.each(cases)("$name", async ({ simulated, ask, options = {}, returned, status, told, said, warnings }) => {
  const objects = simulated.map((object) => ({ object }));
  const outcome = await SimulatedCluster.of(objects, options).review(ask);
  const marked = outcome.problems.filter((problem) => problem.returned);
  expect(marked.map(({ message }) => message)).toEqual(
    returned === undefined ? [] : [expect.stringContaining(returned)],
  );
  expect(outcome.allowed).toBe(returned === undefined);
  if (returned !== undefined) expect(outcome.status?.message).toContain(status ?? returned);
  if (told !== undefined) expect(outcome.problems.map(({ message }) => message)).toEqual(told);
  if (warnings !== undefined) expect(outcome.warnings).toEqual(warnings);
  if (said !== undefined) {
    const assumed = outcome.assumptions.filter(
      (text) => !text.startsWith("namespace") || said.some((item) => text.startsWith(item)),
    );
    expect(assumed).toEqual(said.map((text) => expect.stringContaining(text)));
  }
});

test("a Certificate is reviewed as the request that cert-manager would create for it", async () => {
  const policy: KubeObject = {
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name: "names" },
    spec: {
      allowed: { dnsNames: { values: ["*.shop"] }, usages: ["digital signature", "key encipherment"] },
      selector: { issuerRef: {} },
    },
  };
  const certificate = (dnsNames: readonly string[]): KubeObject => ({
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: { name: "web", namespace: "shop" },
    spec: { dnsNames, issuerRef: { name: "ca" } },
  });
  const simulated = SimulatedCluster.of([{ object: policy }]);
  const judged = async (object: KubeObject) => (await simulated.review({ object })).certificate?.result;
  expect([await judged(certificate(["a.shop"])), await judged(certificate(["a.evil"]))]).toEqual([
    "Approved",
    "Denied",
  ]);
  expect(await judged({ ...certificate([]), spec: { privateKey: { algorithm: "DSA" } } })).toBe("Error");
});

// biome-ignore format: one patch per line
test.each([
  [`JSONPatch{op: "remove", path: "/metadata/namespace"}`,                  undefined],
  [`JSONPatch{op: "replace", path: "/metadata/namespace", value: "other"}`, "the namespace of the provided object does not match the namespace sent on the request"],
])("a custom resource stays in its namespace: %s", async (operation, message) => {
  const mutations = [{ patchType: "JSONPatch", jsonPatch: { expression: `[${operation}]` } }];
  const matchConstraints = { resourceRules: [{ ...everything[0], operations: ["CREATE"] }] };
  const metadata = { name: "m" };
  const simulated = SimulatedCluster.of([
    definition(),
    { apiVersion: admission, kind: "MutatingAdmissionPolicy", metadata, spec: { matchConstraints, mutations, reinvocationPolicy: "Never" } },
    { apiVersion: admission, kind: "MutatingAdmissionPolicyBinding", metadata, spec: { policyName: "m" } },
  ]);
  const limit = { apiVersion: "example.com/v1", kind: "Limit", metadata: { name: "l", namespace: "default" } };
  const { status, object } = await simulated.review({ object: limit });
  expect([status?.message, object?.metadata?.namespace]).toEqual([message, message === undefined ? "default" : "other"]);
});
