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
