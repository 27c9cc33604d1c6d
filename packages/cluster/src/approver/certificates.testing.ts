// An API server with cert-manager's kinds, an approver that leads and its webhook for policies.

import { readFileSync } from "node:fs";
import { startServer, type TestServer } from "@celadon/apiserver/testing";
import { Metrics } from "@celadon/base/metrics";
import { POLICY_DEFINITION, type RequestStatus } from "@celadon/certpolicy";
import { Api, connectionFromKubeconfig } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { CertificateApprover } from "./approver.ts";
import { PolicyWebhook } from "./policy-webhook.ts";

const REQUEST_DEFINITION = readFileSync(new URL("./testdata/request-definition.json", import.meta.url), "utf8");

export function startCertificateServer(): Promise<TestServer> {
  return startServer({ manifests: [REQUEST_DEFINITION, POLICY_DEFINITION as unknown as KubeObject] });
}

export interface Approving {
  readonly api: Api;
  readonly approver: CertificateApprover;
  /** The last decisions, by namespace and name. */
  readonly decided: Map<string, RequestStatus>;
  /** The same in order: `default/good Approved`. */
  readonly log: string[];
  stop(): Promise<void>;
}

/** As the administrator, or as another user. */
export async function startApprover(server: TestServer, user?: string): Promise<Approving> {
  const connection = await connectionFromKubeconfig({ path: server.kubeconfigFile });
  const api = new Api(user === undefined ? connection : { ...connection, impersonate: { user } });
  const decided = new Map<string, RequestStatus>();
  const log: string[] = [];
  const approver = new CertificateApprover(api, {
    metrics: new Metrics(),
    workers: 4,
    decided: (key, status) => {
      decided.set(key, status);
      log.push(`${key} ${status.event.reason}`);
    },
  });
  approver.start();
  await approver.synced();
  const stop = async (): Promise<void> => {
    await approver.stop();
    api.close();
  };
  return { api, approver, decided, log, stop };
}

export async function startPolicyWebhook(api: Api): Promise<PolicyWebhook> {
  const port = 20_000 + ((process.pid * 7) % 20_000);
  const webhook = new PolicyWebhook(api, {
    host: "127.0.0.1",
    port,
    name: "celadon-approver",
    namespace: "default",
    address: { url: `https://127.0.0.1:${port}` },
    failed: () => {},
  });
  await webhook.start();
  webhook.lead(true);
  return webhook;
}
