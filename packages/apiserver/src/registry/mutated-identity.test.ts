// Mutating policies may change parts of an object's identity. The answers are those of kube-apiserver 1.36.4.

import { expect, test } from "vitest";
import type { LocalClient } from "../client/local-client.ts";
import { testServer } from "../server.testing.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const POLICIES = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies";
const BINDINGS = "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings";
const MERGE = "application/merge-patch+json";

/** A server with a config map and a deployment, and a policy that changes operations on both. */
async function serverWith(mutation: object): Promise<LocalClient> {
  const { admin } = await testServer({ withoutPlugins: ["ServiceAccount"] });
  const metadata = { name: "a" };
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template };
  await admin.call("POST", MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata } });
  await admin.call("POST", DEPLOYMENTS, { body: { apiVersion: "apps/v1", kind: "Deployment", metadata, spec } });
  const rule = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["configmaps", "*/scale"] };
  const policy = { matchConstraints: { resourceRules: [rule] }, reinvocationPolicy: "Never", mutations: [mutation] };
  const apiVersion = "admissionregistration.k8s.io/v1";
  const made = [
    await admin.call("POST", POLICIES, {
      body: { apiVersion, kind: "MutatingAdmissionPolicy", metadata, spec: policy },
    }),
    await admin.call("POST", BINDINGS, {
      body: { apiVersion, kind: "MutatingAdmissionPolicyBinding", metadata, spec: { policyName: "a" } },
    }),
  ];
  expect(made.map(({ code }) => code)).toEqual([201, 201]);
  return admin;
}

const patching = (operation: string): object => ({
  patchType: "JSONPatch",
  jsonPatch: { expression: `[JSONPatch{${operation}}]` },
});

const message = async (admin: LocalClient, path: string): Promise<unknown> =>
  (await admin.call("PATCH", path, { type: MERGE, body: {} })).json().message;

test("a namespace that is taken away is filled in again, another one is refused", async () => {
  const without = await serverWith(patching('op: "remove", path: "/metadata"'));
  expect(await message(without, `${MAPS}/a`)).toBe(
    'ConfigMap "" is invalid: [metadata.name: Required value: name or generateName is required, metadata.name: Invalid value: "": field is immutable]',
  );
  const other = await serverWith(patching('op: "add", path: "/metadata/namespace", value: "other"'));
  expect(await message(other, `${MAPS}/a`)).toBe(
    "the namespace of the provided object does not match the namespace sent on the request",
  );
});

test("a Scale keeps its name, and the identity of its object", async () => {
  const without = await serverWith(patching('op: "remove", path: "/metadata"'));
  expect(await message(without, `${DEPLOYMENTS}/a/scale`)).toBe(
    'Scale.autoscaling "a" is invalid: [metadata.name: Required value: name or generateName is required, metadata.namespace: Required value]',
  );
  const other = await serverWith(patching('op: "add", path: "/metadata/uid", value: "other"'));
  expect(await message(other, `${DEPLOYMENTS}/a/scale`)).toMatch(
    /^Operation cannot be fulfilled on deployments\/scale\.apps "a": Precondition failed: UID in precondition: other, /,
  );
});

test("nothing can be merged into a Scale", async () => {
  const applyConfiguration = { expression: "Object{spec: Object.spec{replicas: 3}}" };
  const admin = await serverWith({ patchType: "ApplyConfiguration", applyConfiguration });
  expect(await message(admin, `${DEPLOYMENTS}/a/scale`)).toBe(
    "policy 'a' with binding 'a' denied request: error applying patch: failed to convert patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale",
  );
});

test("only a POST makes up a name", async () => {
  const admin = await serverWith(patching('op: "add", path: "/metadata", value: {"generateName": "g-"}'));
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "new" } };
  const path = `${MAPS}/new?fieldManager=m`;
  const reply = await admin.call("PATCH", path, { type: "application/apply-patch+yaml", body });
  expect(reply.json()).toMatchObject({
    code: 500,
    message: "Internal error occurred: metadata.name was not generated",
  });
});

test("validating policies see the name that was asked for", async () => {
  const admin = await serverWith(patching('op: "add", path: "/metadata/name", value: "other"'));
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  const messageExpression = "request.name + ' is ' + object.metadata.name";
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: "false", messageExpression }],
  };
  const metadata = { name: "v" };
  const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic";
  await admin.call("POST", `${path}ies`, { body: { apiVersion, kind: "ValidatingAdmissionPolicy", metadata, spec } });
  await admin.call("POST", `${path}ybindings`, {
    body: {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: { policyName: "v", validationActions: ["Deny"] },
    },
  });
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "asked" } };
  const reply = await admin.call("POST", MAPS, { body });
  expect(reply.json().message).toBe(
    "configmaps \"asked\" is forbidden: ValidatingAdmissionPolicy 'v' with binding 'v' denied request: asked is other",
  );
});

test("a token is for the account that has the identity", async () => {
  const { admin } = await testServer({ withoutPlugins: ["ServiceAccount"] });
  const accounts = "/api/v1/namespaces/default/serviceaccounts";
  await admin.call("POST", accounts, { body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa" } } });
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", metadata: { uid: "other" }, spec: {} };
  const reply = await admin.call("POST", `${accounts}/sa/token`, { body });
  expect(reply.json().message).toMatch(
    /^Operation cannot be fulfilled on TokenRequest\.authentication\.k8s\.io "sa": the UID in the token request \(other\) does not match/,
  );
});
