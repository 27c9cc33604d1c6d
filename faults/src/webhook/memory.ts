// Many requests to one replica of the webhook: its memory must not grow with the number of requests, and every answer must be right.

import type { ChildProcess } from "node:child_process";
import { Agent, request } from "node:https";
import { startServer } from "@celadon/apiserver/testing";
import { ownDefinitions } from "@celadon/cluster/webhook";
import { type CampaignOptions, type CampaignReport, Findings } from "../campaign.ts";
import { binding, POLICIES, policy } from "./policies.ts";
import { startReplica, told } from "./processes.ts";

export interface MemoryOptions extends CampaignOptions {
  /** The JavaScript file of a replica. */
  readonly replica: string;
  readonly requests: number;
  readonly port?: number;
}

export interface MemoryReport extends CampaignReport {
  readonly requests: number;
  readonly perSecond: number;
  readonly cpuMsPerRequest: number;
  /** Heap size after garbage collection, at ten points of the run and at the end. */
  readonly heapMb: readonly number[];
  readonly rssMb: readonly number[];
}

const AT_ONCE = 16;
const SAMPLES = 10;
/** The greatest growth of the heap from the first tenth of the run to its end. */
const GROWTH_MB = 8;

interface Usage {
  readonly heapMb: number;
  readonly rssMb: number;
  readonly cpuMs: number;
}

export async function memoryCampaign(options: MemoryOptions): Promise<MemoryReport> {
  const { replica, requests, progress, signal, port = 33_443 } = options;
  const server = await startServer({
    manifests: [...ownDefinitions(), ...POLICIES, variablesPolicy(), binding("labels")],
  });
  const address = `https://127.0.0.1:${port}`;
  const { child } = await startReplica(replica, server.kubeconfigFile, port, address, ["--expose-gc"]);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE, rejectUnauthorized: false });
  const findings = new Findings();
  try {
    const samples: Usage[] = [];
    const started = performance.now();
    let sent = 0;
    for (let sample = 0; sample < SAMPLES && !signal?.aborted; sample++) {
      const until = Math.round((requests * (sample + 1)) / SAMPLES);
      const workers = Array.from({ length: AT_ONCE }, async () => {
        while (sent < until && !signal?.aborted) {
          const problem = await ask(agent, port, sent++);
          if (problem !== undefined) findings.problem(problem);
        }
      });
      await Promise.all(workers);
      samples.push(await usageOf(child));
      progress?.(`${sent} requests, ${samples.at(-1)!.heapMb.toFixed(1)} MB of heap`);
    }
    const seconds = (performance.now() - started) / 1000;
    const [first, last] = [samples[0]!, samples.at(-1)!];
    if (last.heapMb - first.heapMb > GROWTH_MB)
      findings.problem(`the heap grew from ${first.heapMb} to ${last.heapMb} MB`);
    return {
      problems: findings.problems,
      requests: sent,
      perSecond: Math.round(sent / seconds),
      cpuMsPerRequest: rounded(last.cpuMs / sent, 3),
      heapMb: samples.map(({ heapMb }) => rounded(heapMb, 1)),
      rssMb: samples.map(({ rssMb }) => rounded(rssMb, 1)),
    };
  } finally {
    agent.destroy();
    child.kill("SIGKILL");
    await server.close();
  }
}

function variablesPolicy(): Record<string, unknown> {
  const variables = [{ name: "labels", expression: "object.metadata.?labels.orValue({})" }];
  return policy("labels", "variables.labels.all(key, size(key) < 60)", { variables });
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  const answer = told(child);
  child.send({ usage: true });
  return (await answer) as Usage;
}

const NAMES = ["good", "bad", "uses-params"];

/** Every request has a name and user of its own, as in a real cluster. */
function ask(agent: Agent, port: number, i: number): Promise<string | undefined> {
  const kind = NAMES[i % NAMES.length]!;
  const name = kind === "bad" ? "bad" : `${kind}-${i}`;
  const body = JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name,
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: `user-${i % 5000}`, groups: ["system:authenticated"] },
      object: {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace: "default", labels: { name: kind, [`label-${i}`]: "x" } },
        data: { [`key-${i}`]: "value".repeat(i % 50) },
      },
      oldObject: null,
      dryRun: false,
      options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
    },
  });
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const path = "/validate/fail/equivalent/v1";
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => {
        const isRight = text.includes(`"allowed":${name !== "bad"}`);
        resolve(isRight ? undefined : `${name}: ${text.slice(0, 200)}`);
      });
    });
    sent.on("error", (error) => resolve(`${name}: ${error.message}`));
    sent.end(body);
  });
}

function rounded(n: number, digits: number): number {
  return Math.round(n * 10 ** digits) / 10 ** digits;
}
