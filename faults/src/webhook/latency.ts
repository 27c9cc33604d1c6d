// Reviews of others at one replica of the webhook while one client floods it, sends the largest reviews it takes, or makes it evaluate a policy of
// the greatest cost: how long each of the others' reviews takes is measured, and bounded. Both have addresses of their own on the loopback interface.

import { Agent, request } from "node:https";
import { startServer } from "@celadon/apiserver/testing";
import { ownDefinitions } from "@celadon/cluster/webhook";
import { type CampaignOptions, type CampaignReport, Findings, pause } from "../campaign.ts";
import { binding, POLICIES, policy } from "./policies.ts";
import { startReplica } from "./processes.ts";

export interface LatencyOptions extends CampaignOptions {
  /** The JavaScript file of a replica. */
  readonly replica: string;
  /** The seconds that each attack lasts. */
  readonly seconds: number;
  readonly port?: number;
  /** The size of the largest reviews, as a part of the limit. */
  readonly part?: number;
  /** Milliseconds that 99 of 100 reviews of others take at most; absent where the machine has other work. */
  readonly limit?: number;
}

interface AttackFigures {
  /** Reviews of the attacker that were answered, and those that were turned away. */
  readonly answered: number;
  readonly rejected: number;
  /** Reviews of others. */
  readonly reviews: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

export interface LatencyReport extends CampaignReport {
  readonly attacks: Readonly<Record<string, AttackFigures>>;
}

/** Others review this often. */
const BETWEEN_MS = 10;
const ATTACKER = "127.0.0.2";
const OTHER = "127.0.0.3";

interface Attack {
  readonly name: string;
  readonly atOnce: number;
  body(part: number): string;
}

interface Reply {
  readonly code: number;
  readonly allowed: boolean | undefined;
}

function review(data: object, labels: object = {}): string {
  const metadata = { name: "good", namespace: "default", labels };
  return JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "00000000-0000-4000-8000-000000000000",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name: "good",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "user", groups: ["system:authenticated"] },
      object: { apiVersion: "v1", kind: "ConfigMap", metadata, data },
      oldObject: null,
      dryRun: false,
    },
  });
}

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, "value"]));

const numbers = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`n${i}`, 1]));

/** Each validation spends nearly its limit, and all of them nearly the limit of a policy. */
const COSTLY = policy(
  "costly",
  "true",
  {
    validations: Array.from({ length: 10 }, (_, i) => ({
      expression: `object.data.all(a, object.data.all(b, a != b + '${i}'))`,
    })),
  },
  { objectSelector: { matchLabels: { costly: "yes" } } },
);

const ATTACKS: readonly Attack[] = [
  { name: "none", atOnce: 0, body: () => "" },
  { name: "a flood of reviews", atOnce: 200, body: () => review({}) },
  { name: "reviews with as many values as are read", atOnce: 4, body: (part) => review(numbers(495_000 * part)) },
  { name: "reviews of seven megabytes", atOnce: 4, body: (part) => review({ text: "x".repeat(7_000_000 * part) }) },
  { name: "a policy of the greatest cost", atOnce: 200, body: () => review(members(380), { costly: "yes" }) },
];

export async function latencyCampaign(options: LatencyOptions): Promise<LatencyReport> {
  const { replica, seconds, limit, part = 1, progress, signal, port = 33_453 } = options;
  const server = await startServer({ manifests: [...ownDefinitions(), ...POLICIES, COSTLY, binding("costly")] });
  const { child } = await startReplica(replica, server.kubeconfigFile, port, `https://127.0.0.1:${port}`);
  const findings = new Findings();
  const attacks: Record<string, AttackFigures> = {};
  try {
    for (const attack of ATTACKS) {
      if (signal?.aborted) break;
      const figures = await measured(attack.atOnce, attack.body(part), seconds * 1_000, port);
      attacks[attack.name] = figures;
      progress?.(`${attack.name}: ${JSON.stringify(figures)}`);
      for (const problem of problemsOf(attack, figures, limit)) findings.problem(problem);
    }
  } finally {
    child.kill("SIGKILL");
    await server.close();
  }
  return { attacks, problems: findings.problems };
}

function problemsOf(
  { name, atOnce }: Attack,
  { reviews, answered, rejected, p99Ms }: AttackFigures,
  limit: number | undefined,
): string[] {
  const problems: string[] = [];
  if (reviews === 0) problems.push(`${name}: no review of others was answered`);
  if (atOnce > 0 && answered + rejected === 0) problems.push(`${name}: the attack was not answered`);
  if (limit !== undefined && p99Ms > limit)
    problems.push(`${name}: 99 of 100 reviews of others took up to ${p99Ms} ms`);
  return problems;
}

async function measured(atOnce: number, body: string, milliseconds: number, port: number): Promise<AttackFigures> {
  const agents = [ATTACKER, OTHER].map(
    (localAddress) => new Agent({ keepAlive: true, maxSockets: atOnce + 4, rejectUnauthorized: false, localAddress }),
  );
  const [attacking, others] = agents as [Agent, Agent];
  const until = performance.now() + milliseconds;
  let [answered, rejected] = [0, 0];
  const times: number[] = [];
  const attackers = Array.from({ length: atOnce }, async () => {
    while (performance.now() < until) {
      const { code } = await send(attacking, port, body);
      if (code === 200) answered++;
      else rejected++;
      // A refused client comes again at once, as an attacker does, but the campaign shares the machine with the server.
      if (code !== 200) await pause(BETWEEN_MS);
    }
  });
  const other = (async () => {
    const own = review({ key: "value" });
    while (performance.now() < until) {
      const started = performance.now();
      const { code, allowed } = await send(others, port, own);
      if (code !== 200 || allowed !== true) throw new Error(`a review of others was answered ${code}, ${allowed}`);
      times.push(performance.now() - started);
      await pause(BETWEEN_MS);
    }
  })();
  try {
    await Promise.all([other, ...attackers]);
  } finally {
    for (const agent of agents) agent.destroy();
  }
  times.sort((a, b) => a - b);
  const at = (part: number): number => Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10;
  return {
    answered,
    rejected,
    reviews: times.length,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    longestMs: Math.round(times.at(-1) ?? 0),
  };
}

/** A connection that was cut counts as turned away. */
function send(agent: Agent, port: number, body: string): Promise<Reply> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const path = "/validate/fail/equivalent/v1";
    const sent = request({ host: "127.0.0.1", port, method: "POST", path, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => resolve({ code: 0, allowed: undefined }));
      response.on("end", () => {
        const code = response.statusCode ?? 0;
        resolve({ code, allowed: code === 200 ? allowedOf(Buffer.concat(chunks).toString()) : undefined });
      });
    });
    sent.on("error", () => resolve({ code: 0, allowed: undefined }));
    sent.end(body);
  });
}

function allowedOf(text: string): boolean | undefined {
  const { response } = JSON.parse(text) as { readonly response?: { readonly allowed?: boolean } };
  return response?.allowed;
}
