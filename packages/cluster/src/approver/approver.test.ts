// The approver against an API server in this process, with cert-manager's kinds as definitions.

import type { TestServer } from "@celadon/apiserver/testing";
import { type CertificateRequest, requestOfCertificate } from "@celadon/certpolicy";
import { type Api, Reflector } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApprover, startCertificateServer } from "./certificates.testing.ts";
import { REQUESTS } from "./resources.ts";

const CSR = (
  requestOfCertificate({
    metadata: { name: "c" },
    spec: { dnsNames: ["web.shop.example"], encodeUsagesInRequest: false },
  }) as CertificateRequest
).spec.request;

let server: TestServer;
beforeAll(async () => {
  server = await startCertificateServer();
});
afterAll(() => server.close());

const policy = (name: string, values: readonly string[]): KubeObject => ({
  apiVersion: "policy.cert-manager.io/v1alpha1",
  kind: "CertificateRequestPolicy",
  metadata: { name },
  spec: { allowed: { dnsNames: { values } }, selector: { issuerRef: {} } },
});
const request = (name: string, spec: object = {}): KubeObject => ({
  apiVersion: "cert-manager.io/v1",
  kind: "CertificateRequest",
  metadata: { name, namespace: "default" },
  spec: { request: CSR, issuerRef: { name: "ca" }, username: "admin", groups: ["system:masters"], ...spec },
});

const conditions = async (api: Api, name: string): Promise<readonly string[]> => {
  const object = await api.get(REQUESTS, { namespace: "default", name });
  const { conditions: list = [] } = (object.status ?? {}) as { conditions?: { type: string; status: string }[] };
  return list.map(({ type, status }) => `${type}=${status}`);
};

test("policies become ready; requests are decided once, by who leads, and errors decide nothing", async () => {
  await server.apply([
    policy("shop", ["*.shop.example"]),
    request("good"),
    request("broken", { request: btoa("nonsense") }),
  ]);
  const { api, approver, log: decided } = await startApprover(server);
  await approver.idle();
  expect(decided).toEqual([]); // nobody leads yet
  approver.lead(true);
  await expect.poll(() => conditions(api, "good"), { timeout: 100_000 }).toEqual(["Approved=True"]);
  await server.apply([request("bad", { username: "eve", groups: [] })]);
  await expect.poll(() => decided.some((line) => line === "default/bad Unprocessed"), { timeout: 100_000 }).toBe(true);
  expect(await conditions(api, "bad")).toEqual([]);
  expect(await conditions(api, "broken")).toEqual([]);
  expect(decided.filter((line) => line === "default/good Approved")).toHaveLength(1);

  // Another replica takes over: decisions stay unchanged.
  await approver.stop();
  const second = await startApprover(server);
  second.approver.lead(true);
  await second.approver.idle();
  expect(second.log.some((line) => line.startsWith("default/good"))).toBe(false);
  expect(await conditions(api, "good")).toEqual(["Approved=True"]);
  await second.stop();
  api.close();
});

test("two that lead at once, policies that change, one that ends in the middle: every request is decided once", async () => {
  const names = Array.from({ length: 24 }, (_, i) => `many-${i}`);
  await server.apply([policy("shop", ["*.elsewhere.example"])]);
  const [first, second] = [await startApprover(server), await startApprover(server)];
  // Every condition that was ever there, in the order of the API server.
  const seen = new Map<string, Set<string>>();
  const watch = new Reflector(second.api, REQUESTS, {
    changed: (changes) => {
      for (const { key, object } of changes) {
        const { conditions: list = [] } = (object.status ?? {}) as { conditions?: object[] };
        for (const condition of list) seen.set(key, (seen.get(key) ?? new Set()).add(JSON.stringify(condition)));
      }
    },
  });
  watch.start();
  first.approver.lead(true);
  second.approver.lead(true);
  for (const [i, name] of names.entries()) {
    await server.apply([request(name)]);
    // A policy that allows all names denies none; the deciding one depends on the moment, and then counts for ever.
    if (i % 6 === 0) await server.apply([policy("shop", i % 12 === 0 ? ["*"] : ["*.elsewhere.example"])]);
    if (i === 12) void first.stop();
  }
  const isDecided = (name: string): boolean => seen.has(`default/${name}`);
  await expect.poll(() => names.filter(isDecided).length, { timeout: 100_000 }).toBe(names.length);
  await second.approver.idle();
  const decisions = (name: string): readonly string[] => [`default/${name} Approved`, `default/${name} Denied`];
  for (const name of names) expect([...seen.get(`default/${name}`)!], name).toHaveLength(1);
  for (const name of names)
    expect(
      [...first.log, ...second.log].filter((line) => decisions(name).includes(line)),
      name,
    ).toHaveLength(1);
  await watch.stop();
  await second.stop();
});

/** The rules of approver-policy's own chart: requests may be listed and watched. */
const OWN_ROLES = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: approver }
rules:
- { apiGroups: [policy.cert-manager.io], resources: [certificaterequestpolicies], verbs: [list, watch] }
- { apiGroups: [policy.cert-manager.io], resources: [certificaterequestpolicies/status], verbs: [patch] }
- { apiGroups: [cert-manager.io], resources: [certificaterequests], verbs: [list, watch] }
- { apiGroups: [cert-manager.io], resources: [certificaterequests/status], verbs: [patch] }
- { apiGroups: [cert-manager.io], resources: [signers], verbs: [approve] }
- apiGroups: [rbac.authorization.k8s.io]
  resources: [roles, clusterroles, rolebindings, clusterrolebindings]
  verbs: [list, watch]
- { apiGroups: ["", events.k8s.io], resources: [events], verbs: [create, patch] }
- { apiGroups: [authorization.k8s.io], resources: [subjectaccessreviews], verbs: [create] }
- { apiGroups: [""], resources: [namespaces], verbs: [list, watch] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: approver }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: approver }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: approver }]
`;

test("the rights of approver-policy's own chart are enough, and events name their action", async () => {
  await server.apply([OWN_ROLES, policy("own", ["*.shop.example"]), request("own")]);
  const { approver, log: decided, stop } = await startApprover(server, "approver");
  approver.lead(true);
  await expect.poll(() => decided, { timeout: 100_000 }).toContain("default/own Approved");
  await approver.idle();
  const query = "fieldSelector=involvedObject.name%3Down";
  const { code, json } = await server.client.call("GET", `/api/v1/events?${query}`);
  expect(code).toBe(200);
  const events = (json().items as Record<string, unknown>[]).map(({ type, reason, action }) => ({
    type,
    reason,
    action,
  }));
  // The request may be reviewed once before its policy is ready.
  expect(events).toContainEqual({ type: "Normal", reason: "Ready", action: "Synced" });
  expect(events).toContainEqual({ type: "Normal", reason: "Approved", action: "Synced" });
  await stop();
});
