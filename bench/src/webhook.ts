// npm run bench -- webhook [--quick] [--policies N]: the webhook over loopback HTTPS with keep-alive, as an API server calls it: time to be
// ready, time of an answer and CPU of the webhook's process for each, with 1, 20 and 10,000 policies. Reviews come at a fixed rate,
// independent of the answers, so that a late answer makes no other review later.

import { type ChildProcess, fork } from "node:child_process";
import { Agent, request } from "node:https";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startServer } from "@celadon/apiserver/testing";
import { OWN_GROUP, ownDefinitions } from "@celadon/cluster/webhook";
import { keep, load } from "./keep.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, policies: { type: "string", multiple: true } },
});
const SECONDS = values.quick ? 2 : 10;
const PORT = 31_443;
const CHILD = fileURLToPath(new URL("./child/webhook-child.js", import.meta.url));
const AGENT = new Agent({ keepAlive: true, maxSockets: 25, rejectUnauthorized: false });

interface Row {
  readonly policies: number;
  readonly matching: number;
  readonly perSecond: number;
  readonly readyMs: number;
  /** CPU of the process until it was ready, with its own start. */
  readonly readyCpuMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMsPerReview: number;
  readonly memoryMb: number;
  readonly answered: number;
}

const rows: Row[] = [];
const before = load();
for (const [policies, matching] of [
  [1, 1],
  [20, 20],
  [10_000, 20],
] as const) {
  if (values.policies !== undefined && !values.policies.includes(String(policies))) continue;
  rows.push(...(await measure(policies, matching, values.quick ? [200] : [200, 1000])));
}
console.table(rows);
if (!values.quick && values.policies === undefined) {
  keep("webhook", { load: [before, load()], rows });
}
process.exit(0);

/** One process for all rates, warm before the first. */
async function measure(policies: number, matching: number, rates: readonly number[]): Promise<readonly Row[]> {
  const server = await startServer({ manifests: [...ownDefinitions()] });
  for (let i = 0; i < policies; i += 500)
    await server.apply(
      Array.from({ length: Math.min(500, policies - i) }, (_, k) => objectsOf(i + k, i + k < matching)).flat(),
    );
  const child = fork(CHILD, [server.kubeconfigFile, String(PORT)], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const { readyMs = 0, cpuMs: readyCpuMs = 0 } = await said(child);
  await reviews(500, values.quick ? 2 : 6);
  const measured: Row[] = [];
  for (const perSecond of rates) {
    const before = await asked(child);
    const times = await reviews(perSecond, SECONDS);
    const after = await asked(child);
    const sorted = times.sort((a, b) => a - b);
    const at = (share: number): number => round(sorted[Math.floor(sorted.length * share)] ?? 0);
    measured.push({
      policies,
      matching,
      perSecond,
      readyMs: Math.round(readyMs),
      readyCpuMs: Math.round(readyCpuMs),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      cpuMsPerReview: round(((after.cpuMs ?? 0) - (before.cpuMs ?? 0)) / times.length),
      memoryMb: Math.round(after.memoryMb ?? 0),
      answered: times.length,
    });
  }
  child.kill("SIGKILL");
  await server.close();
  return measured;
}

function round(n: number): number {
  return Math.round(n * 1000) / 1000;
}

interface Said {
  readonly readyMs?: number;
  readonly cpuMs?: number;
  readonly memoryMb?: number;
}

function said(child: ChildProcess): Promise<Said> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as Said));
    child.once("exit", (code) => reject(new Error(`the webhook ended with ${code}`)));
  });
}

function asked(child: ChildProcess): Promise<Said> {
  const answer = said(child);
  child.send("usage");
  return answer;
}

/** A policy of some size with its binding; half of the others are about other namespaces, half about other resources. */
function objectsOf(i: number, matches: boolean): readonly Record<string, unknown>[] {
  const name = `policy-${i}`;
  const resources = matches || i % 2 === 0 ? ["deployments"] : [`others-${i % 100}`];
  const selector = matches ? {} : { namespaceSelector: { matchLabels: { team: `t${i}` } } };
  const head = { apiVersion: `${OWN_GROUP}/v1`, metadata: { name } };
  return [
    {
      ...head,
      kind: "ValidatingAdmissionPolicy",
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources }],
          ...selector,
        },
        variables: [{ name: "containers", expression: "object.spec.template.spec.containers" }],
        validations: [
          { expression: `object.spec.replicas <= ${1000 + i}`, message: "too many replicas" },
          { expression: "variables.containers.all(c, c.image.startsWith('registry.example/'))" },
          { expression: "variables.containers.all(c, has(c.resources) && has(c.resources.limits))" },
        ],
      },
    },
    { ...head, kind: "ValidatingAdmissionPolicyBinding", spec: { policyName: name, validationActions: ["Deny"] } },
  ];
}

/** Times of answers in milliseconds. */
async function reviews(perSecond: number, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const start = performance.now();
  const all = perSecond * seconds;
  for (let sent = 0; sent < all; ) {
    const due = Math.min(all, Math.floor(((performance.now() - start) / 1000) * perSecond) + 1);
    for (; sent < due; sent++) {
      pending.push(
        review(sent).then((ms) => {
          times.push(ms);
        }),
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  return times;
}

function review(i: number): Promise<number> {
  const body = JSON.stringify(reviewOf(i));
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: PORT,
        path: "/validate/fail/equivalent/v1",
        method: "POST",
        agent: AGENT,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => {
          // A wrong answer is not a fast one.
          if (!text.includes('"allowed":true')) reject(new Error(`not allowed: ${text.slice(0, 300)}`));
          else resolve(performance.now() - started);
        });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

function reviewOf(i: number): object {
  const containers = ["web", "log", "proxy"].map((name) => ({
    name,
    image: `registry.example/${name}:1.${i % 50}`,
    resources: { limits: { cpu: "1", memory: "256Mi" }, requests: { cpu: "100m", memory: "128Mi" } },
    env: Array.from({ length: 10 }, (_, k) => ({ name: `VAR_${k}`, value: `value ${k}` })),
  }));
  const labels = { app: "web", team: "shop" };
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, "0")}`,
      kind: { group: "apps", version: "v1", kind: "Deployment" },
      resource: { group: "apps", version: "v1", resource: "deployments" },
      requestKind: { group: "apps", version: "v1", kind: "Deployment" },
      requestResource: { group: "apps", version: "v1", resource: "deployments" },
      name: `web-${i}`,
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "ann", groups: ["developers", "system:authenticated"] },
      object: {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: `web-${i}`, namespace: "default", labels },
        spec: {
          replicas: 3,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers } },
        },
      },
      oldObject: null,
      dryRun: false,
      options: { apiVersion: "meta.k8s.io/v1", kind: "CreateOptions" },
    },
  };
}
