// kill -9 for the certificate approver while it decides, sometimes with a second approver running, while policies change. Every request is
// decided once and never changed afterwards; an unreadable request is never decided.

import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { startServer } from "@celadon/apiserver/testing";
import { type CertificateRequest, POLICY_DEFINITION, requestOfCertificate } from "@celadon/certpolicy";
import { Api, connectionFromKubeconfig, type ReflectedChange, Reflector } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { type CampaignOptions, type CampaignReport, Findings, pause, until } from "../campaign.ts";
import { seeded } from "../random.ts";
import { told } from "../webhook/processes.ts";

export interface ApproverCampaignOptions extends CampaignOptions {
  /** The JavaScript file of an approver. */
  readonly replica: string;
  /** The number of approvers to kill. */
  readonly times: number;
}

export interface ApproverReport extends CampaignReport {
  readonly kills: number;
  readonly requests: number;
  readonly approved: number;
  readonly denied: number;
}

const REQUESTS = { group: "cert-manager.io", version: "v1", resource: "certificaterequests" };
/** Requests per killed approver, and the longest time from start to kill. */
const AT_ONCE = 6;
const LIFE_MS = 60;

/** The cert-manager kind that the approver decides. */
const REQUEST_DEFINITION = new URL(
  "../../../packages/cluster/src/approver/testdata/request-definition.json",
  import.meta.url,
);

interface Condition {
  readonly type: string;
}

export async function approverCampaign(options: ApproverCampaignOptions): Promise<ApproverReport> {
  const random = seeded(options.seed);
  const server = await startServer({
    manifests: [readFileSync(REQUEST_DEFINITION, "utf8"), POLICY_DEFINITION as unknown as KubeObject, policy(true)],
  });
  const api = new Api(await connectionFromKubeconfig({ path: server.kubeconfigFile }));
  const decisions = new Decisions();
  const watch = new Reflector(api, REQUESTS, { changed: (changes) => decisions.see(changes) });
  watch.start();
  await watch.synced;
  const running = new Set<ChildProcess>();
  const start = async (): Promise<ChildProcess> => {
    const child = fork(options.replica, [server.kubeconfigFile], { stdio: "ignore", detached: true });
    running.add(child);
    await told(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    running.delete(child);
  };
  const findings = new Findings();
  let [kills, made] = [0, 0];
  try {
    await server.apply(request("unreadable", { request: btoa("nonsense") }));
    while (kills < options.times && !options.signal?.aborted) {
      const names = Array.from({ length: AT_ONCE }, () => `request-${made++}`);
      await server.apply(names.map((name) => request(name)));
      const both = await Promise.all(random(4) === 0 ? [start(), start()] : [start()]);
      // The policy that applies depends on the moment; the decision then stays.
      if (random(2) === 0) await server.apply(policy(random(2) === 0));
      await pause(random(LIFE_MS));
      await Promise.all(both.map(kill));
      kills += both.length;
      if (kills % 20 < both.length) options.progress?.(`${kills} kills, ${decisions.count} of ${made} decided`);
    }
    await start();
    if (!(await until(() => decisions.count === made, 60)))
      findings.problem(`${made - decisions.count} of ${made} requests were never decided`);
    // Decided and undecidable requests must not change any more.
    await server.apply(policy(random(2) === 0));
    await pause(500);
    for (const [key, seen] of decisions.byKey)
      if (seen.size > 1) findings.problem(`${key} was decided ${seen.size} times: ${[...seen].join(" ")}`);
    if (decisions.byKey.has("default/unreadable")) findings.problem("a request that cannot be read was decided");
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await watch.stop();
    api.close();
    await server.close();
  }
  const [approved, denied] = ["Approved", "Denied"].map((type) => decisions.of(type)) as [number, number];
  return { kills, requests: made, approved, denied, problems: findings.problems };
}

/** Every decision ever stored, in order of resource version. */
class Decisions {
  readonly byKey = new Map<string, Set<string>>();

  see(changes: readonly ReflectedChange[]): void {
    for (const { key, object } of changes) {
      const { conditions = [] } = (object.status ?? {}) as { readonly conditions?: readonly Condition[] };
      for (const condition of conditions) {
        const seen = this.byKey.get(key) ?? new Set();
        this.byKey.set(key, seen.add(JSON.stringify(condition)));
      }
    }
  }

  get count(): number {
    return this.byKey.size;
  }

  of(type: string): number {
    return [...this.byKey.values()].filter((seen) => [...seen].some((text) => text.includes(`"type":"${type}"`)))
      .length;
  }
}

const CSR = (
  requestOfCertificate({
    metadata: { name: "c" },
    spec: { dnsNames: ["web.shop.example"], encodeUsagesInRequest: false },
  }) as CertificateRequest
).spec.request;

function policy(allows: boolean): KubeObject {
  return {
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name: "shop" },
    spec: { allowed: { dnsNames: { values: [allows ? "*" : "*.elsewhere.example"] } }, selector: { issuerRef: {} } },
  };
}

function request(name: string, spec: object = {}): KubeObject {
  return {
    apiVersion: "cert-manager.io/v1",
    kind: "CertificateRequest",
    metadata: { name, namespace: "default" },
    spec: { request: CSR, issuerRef: { name: "ca" }, username: "admin", groups: ["system:masters"], ...spec },
  };
}
