import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeWork, encodeWork } from "./link.ts";
import { maskWork } from "./mask-work.ts";
import { readWork, type Work } from "./work.ts";
import { workOf } from "./work-of.ts";

const deflate = (bytes: Uint8Array): Uint8Array => deflateRawSync(bytes);
const inflate = (bytes: Uint8Array, limit: number): Uint8Array => inflateRawSync(bytes, { maxOutputLength: limit });

const WORK: Work = {
  mode: "validating",
  policy: "kind: ValidatingAdmissionPolicy\n# größer 🐙\n",
  object: "",
  oldObject: "",
  tests: "",
  request: { operation: "DELETE", user: "ann", groups: ["dev", "ops"], dryRun: true },
  kubeVersion: "1.33",
};

test.each([WORK, { ...WORK, policy: "a" }, { ...WORK, policy: "ab" }, { ...WORK, policy: "abc" }])(
  "work survives a link",
  async (work) => {
    const code = await encodeWork(work, deflate);
    expect(code).toMatch(/^1\.[\w-]+$/);
    expect(await decodeWork(code, inflate)).toEqual(work);
  },
);

test("links that are cut off, of another format, or too much are refused", async () => {
  const code = await encodeWork(WORK, deflate);
  expect(await decodeWork(code.slice(0, -9), inflate)).toMatchObject({
    problem: expect.stringMatching(/damaged/),
  });
  expect(await decodeWork(`${code}%20`, inflate)).toMatchObject({ problem: expect.stringMatching(/damaged/) });
  expect(await decodeWork("2.abc", inflate)).toMatchObject({ problem: expect.stringMatching(/format/) });
  const bomb = `1.${deflateRawSync(Buffer.alloc(64 * 1024 * 1024)).toString("base64url")}`;
  expect(await decodeWork(bomb, inflate)).toMatchObject({ problem: expect.stringMatching(/too large/) });
  expect(await decodeWork(`1.${deflateRawSync("[1]").toString("base64url")}`, inflate)).toMatchObject({
    problem: expect.stringMatching(/no playground data/),
  });
});

test("of shared work, only valid parts are used", () => {
  expect(
    readWork({ mode: "cel", policy: 1, request: { operation: "EXPLODE", groups: [1, "a"], __proto__: 3 } }),
  ).toEqual({
    mode: "cel",
    policy: "",
    object: "",
    oldObject: "",
    tests: "",
    request: { groups: ["a"] },
  });
  expect(readWork({ mode: "other" })).toBeUndefined();
});

const SECRET = `# of the database
apiVersion: v1
kind: Secret
metadata: { name: db } # stays
data:
  user: cm9vdA==
stringData:
  note: |
    many
    lines
  quoted: "a: b"
`;

test("secrets are masked in their places", () => {
  const { work, masked } = maskWork({ ...WORK, object: SECRET });
  expect(work.object).toBe(`# of the database
apiVersion: v1
kind: Secret
metadata: { name: db } # stays
data:
  user: bWFza2Vk
stringData:
  note: masked
  quoted: masked
`);
  expect(masked.map(({ object, path }) => `${object} ${path.join(".")}`)).toEqual([
    "Secret db data.user",
    "Secret db stringData.note",
    "Secret db stringData.quoted",
  ]);
});

test("JSON stays JSON, and a certificate request in PEM does not leave", () => {
  const json = `{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"k":"eA=="}}`;
  const pem = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";
  const { work, masked } = maskWork({ ...WORK, object: json, oldObject: pem });
  expect(JSON.parse(work.object).data).toEqual({ k: "bWFza2Vk" });
  expect(work.oldObject).toBe("");
  expect(masked).toHaveLength(2);
});

const named = (apiVersion: string, kind: string, name: string, spec: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: "shop" },
  spec,
});
const V1 = "admissionregistration.k8s.io/v1";
const CLUSTER = [
  named(V1, "ValidatingAdmissionPolicy", "images", { paramKind: { apiVersion: "v1", kind: "ConfigMap" } }),
  named(V1, "ValidatingAdmissionPolicyBinding", "images-here", { policyName: "images" }),
  named(V1, "ValidatingAdmissionPolicy", "other"),
  named(V1, "MutatingAdmissionPolicy", "sidecar"),
  named("v1", "ConfigMap", "registry"),
  named("v1", "Service", "web"),
  named("v1", "Namespace", "shop"),
  named("v1", "Namespace", "bank"),
  named("apiextensions.k8s.io/v1", "CustomResourceDefinition", "queues.example.com", { names: { kind: "Queue" } }),
  named("policy.cert-manager.io/v1alpha1", "CertificateRequestPolicy", "certs"),
];

// biome-ignore format: one request per line
test.each([
  { object: named("v1", "Pod", "web"),                                policies: ["images"],  mode: "validating",   holds: ["images", "images-here", "registry", "shop"] },
  { object: named("v1", "Pod", "web"),                                policies: ["sidecar"], mode: "mutating",     holds: ["sidecar", "shop"] },
  { object: named("example.com/v1", "Queue", "orders"),               policies: [],          mode: "crd",          holds: ["shop", "queues.example.com"] },
  { object: named("cert-manager.io/v1", "CertificateRequest", "web"), policies: [],          mode: "certificates", holds: ["shop", "certs"] },
])("a request is work with what decided it: $mode", ({ object, policies, mode, holds }) => {
  const work = workOf({ manifests: CLUSTER, object, policies: new Set(policies), request: { user: "ann" } });
  expect(work.mode).toBe(mode);
  expect([...work.policy.matchAll(/^ {2}name: (.*)/gm)].map(([, name]) => name)).toEqual(holds);
  expect(work.object).toContain(`kind: ${object.kind}`);
  expect(work.request).toEqual({ user: "ann" });
});
