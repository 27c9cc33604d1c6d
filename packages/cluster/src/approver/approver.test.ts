// The approver against an API server in this process, with cert-manager's kinds as definitions.

import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { type CertificateRequest, POLICY_DEFINITION, requestOfCertificate } from "@celadon/certpolicy";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Metrics } from "../program/metrics.ts";
import { CertificateApprover } from "./approver.ts";
import { REQUESTS } from "./resources.ts";

const REQUEST_DEFINITION = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: certificaterequests.cert-manager.io }
spec:
  group: cert-manager.io
  scope: Namespaced
  names: { plural: certificaterequests, kind: CertificateRequest }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, x-kubernetes-preserve-unknown-fields: true }
            status:
              type: object
              properties:
                conditions:
                  type: array
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [type]
                  items: { type: object, required: [type], properties: { type: { type: string } }, x-kubernetes-preserve-unknown-fields: true }
`;

const CSR = (
  requestOfCertificate({
    metadata: { name: "c" },
    spec: { dnsNames: ["web.shop.example"], encodeUsagesInRequest: false },
  }) as CertificateRequest
).spec.request;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ manifests: [REQUEST_DEFINITION, POLICY_DEFINITION as unknown as KubeObject] });
});
afterAll(() => server.close());

async function approving(): Promise<{
  readonly api: Api;
  readonly approver: CertificateApprover;
  readonly decided: string[];
}> {
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  const decided: string[] = [];
  const approver = new CertificateApprover(api, {
    metrics: new Metrics(),
    decided: (key, { event }) => decided.push(`${key} ${event.reason}`),
  });
  approver.start();
  await approver.synced();
  return { api, approver, decided };
}

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
  const { api, approver, decided } = await approving();
  await approver.idle();
  expect(decided).toEqual([]); // nobody leads yet
  approver.lead(true);
  await expect.poll(() => conditions(api, "good"), { timeout: 10_000 }).toEqual(["Approved=True"]);
  await server.apply([request("bad", { username: "eve", groups: [] })]);
  await expect.poll(() => decided.some((line) => line === "default/bad Unprocessed"), { timeout: 10_000 }).toBe(true);
  expect(await conditions(api, "bad")).toEqual([]);
  expect(await conditions(api, "broken")).toEqual([]);
  expect(decided.filter((line) => line === "default/good Approved")).toHaveLength(1);

  // Another replica takes over: what is decided stays as it is.
  await approver.stop();
  const second = await approving();
  second.approver.lead(true);
  await second.approver.idle();
  expect(second.decided.some((line) => line.startsWith("default/good"))).toBe(false);
  expect(await conditions(api, "good")).toEqual(["Approved=True"]);
  await second.approver.stop();
  api.close();
  second.api.close();
});
