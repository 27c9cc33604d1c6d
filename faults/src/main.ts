// npm run faults -- [campaign ...] [--times 1000] [--policies 10000] [--fault text] [--reference kubeconfig] [--seed n]
// Runs the named campaigns, or all of them, and keeps their figures in results/.

import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { connectionFromKubeconfig } from "@celadon/client";
import type { Store } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { openLmdb } from "@celadon/storage/lmdb";
import { openMemory } from "@celadon/storage/memory";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import { approverCampaign } from "./approver/campaign.ts";
import { authorizationCampaign } from "./authorization/campaign.ts";
import { bodiesCampaign } from "./bodies/campaign.ts";
import type { CampaignOptions, CampaignReport } from "./campaign.ts";
import { damageCampaign } from "./damage/campaign.ts";
import { etcdCampaign } from "./etcd/campaign.ts";
import { quotaCampaign } from "./etcd/quota.ts";
import { hostileCampaign } from "./hostile/campaign.ts";
import { killCampaign } from "./kill/campaign.ts";
import { keepResult } from "./results.ts";
import { serverKillCampaign } from "./server/kill.ts";
import { replicaCampaign } from "./server/replicas.ts";
import { UpProcess } from "./server/up-process.ts";
import { tenantsCampaign } from "./tenants/campaign.ts";
import { watchersCampaign } from "./watchers/campaign.ts";
import { webhookCampaign } from "./webhook/campaign.ts";
import { latencyCampaign } from "./webhook/latency.ts";
import { memoryCampaign } from "./webhook/memory.ts";

interface Settings extends CampaignOptions {
  readonly times: number | undefined;
  /** The duration of the campaigns that last. */
  readonly duration: number | undefined;
  /** The number of policies that are added at once. */
  readonly policies: number;
  /** In campaigns with several faults, only those whose name contains this. */
  readonly fault: string | undefined;
  /** The kubeconfig of a kube-apiserver to compare with. */
  readonly reference: string | undefined;
}

type Campaign = (settings: Settings) => Promise<CampaignReport>;

/** The server's limit, less what surrounds the lists. */
const LARGEST_BODY = 3 * 1024 * 1024 - 10_000;

/** Milliseconds within which the webhook answers 99 of 100 reviews of others, during any attack of one client: SECURITY.md promises it. */
const REVIEW_MS = 2_000;

/** Small queues, so that slow watchers fall behind. */
const LIMITS = { maxQueuedChanges: 1_000 };

const COMMAND = fileURLToPath(new URL("../../apps/cli/bin/celadon.mjs", import.meta.url));

const campaigns: Record<string, Campaign> = {
  "lmdb-kill": (settings) => {
    const writer = fileURLToPath(new URL("./kill/writer.js", import.meta.url));
    return killCampaign({ ...settings, writer, times: settings.times ?? 1_000 });
  },
  "lmdb-damage": (settings) => {
    const worker = fileURLToPath(new URL("./damage/worker.js", import.meta.url));
    return damageCampaign({ ...settings, worker, times: settings.times ?? 2_000 });
  },
  "server-kill": (settings) => serverKillCampaign({ ...settings, command: COMMAND, times: settings.times ?? 1_000 }),
  "server-hostile": (settings) => {
    const sizes = { watchers: 400, senders: 700, seconds: 30 };
    return hostileCampaign({ ...settings, ...sizes, command: COMMAND, times: settings.times ?? 20_000 });
  },
  authorization: (settings) => compareAuthorization(settings),
  "server-bodies": (settings) =>
    bodiesCampaign({ ...settings, command: COMMAND, bytes: LARGEST_BODY, only: settings.fault ?? "", limit: 100 }),
  "hostile-tenants": (settings) =>
    tenantsCampaign({ ...settings, command: COMMAND, seconds: settings.duration ?? 600 }),
  webhook: (settings) => {
    const replica = fileURLToPath(new URL("./webhook/replica.js", import.meta.url));
    const server = fileURLToPath(new URL("./webhook/server-process.js", import.meta.url));
    const { times = 10, policies } = settings;
    return webhookCampaign({ ...settings, replica, server, times, policies });
  },
  approver: (settings) => {
    const replica = fileURLToPath(new URL("./approver/replica.js", import.meta.url));
    return approverCampaign({ ...settings, replica, times: settings.times ?? 200 });
  },
  "webhook-memory": (settings) => {
    const replica = fileURLToPath(new URL("./webhook/replica.js", import.meta.url));
    return memoryCampaign({ ...settings, replica, requests: settings.times ?? 1_000_000 });
  },
  "webhook-latency": (settings) => {
    const replica = fileURLToPath(new URL("./webhook/replica.js", import.meta.url));
    return latencyCampaign({ ...settings, replica, seconds: settings.duration ?? 30, limit: REVIEW_MS });
  },
  "memory-watchers": (settings) => watch(openMemory(LIMITS), settings),
  "lmdb-watchers": async (settings) => {
    const directory = mkdtempSync(join(tmpdir(), "celadon-watchers-"));
    try {
      return await watch(await openLmdb(directory, LIMITS), settings);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

/** Campaigns that need etcd; skipped with a notice where it is not installed. */
const etcdCampaigns: Record<string, Campaign> = {
  "etcd-cluster": (settings) => etcdCampaign({ ...settings, times: settings.times ?? 10 }),
  "server-replicas": (settings) => replicaCampaign({ ...settings, command: COMMAND, times: settings.times ?? 5 }),
  "etcd-quota": () => quotaCampaign(),
  "etcd-watchers": async (settings) => {
    const member = await startEtcd();
    try {
      return await watch(await openEtcd({ endpoints: [member.endpoint], ...LIMITS }), settings);
    } finally {
      await member.remove();
    }
  },
};

async function compareAuthorization(settings: Settings): Promise<CampaignReport> {
  const { reference, times = 10_000 } = settings;
  if (reference === undefined) console.log("faults: no --reference: answers are not compared with kube-apiserver's");
  const server = new UpProcess(COMMAND, ["--memory"]);
  try {
    const outcome = await server.start();
    if (outcome !== "ready") throw new Error(`the server did not start: ${server.log}`);
    const at = (path: string) => connectionFromKubeconfig({ path });
    return await authorizationCampaign({
      ...settings,
      here: await at(join(server.directory, "kubeconfig")),
      reference: reference === undefined ? undefined : await at(reference),
      times,
    });
  } finally {
    await server.remove();
  }
}

async function watch(store: Store, settings: Settings): Promise<CampaignReport> {
  try {
    return await watchersCampaign(store, { ...settings, watchers: 1_000, writes: 10_000 });
  } finally {
    await store.close();
  }
}

const HELP = `usage: npm run faults -- [campaign ...] [flags]

Runs the named campaigns, or all of them, and keeps the figures of whole campaigns in faults/results.
Ctrl-C ends a campaign early: what was done is checked, and the figures are kept, marked as interrupted.

campaigns: ${[...Object.keys(campaigns), ...Object.keys(etcdCampaigns)].join(", ")}

flags:
  --times N       how often each fault happens; such figures are not kept
  --seconds N     how long hostile-tenants takes (default: 600)
  --policies N    policies that the webhook campaign adds at once (default: 10000)
  --fault TEXT    in the campaigns webhook and server-bodies, only faults whose name contains this; such figures are not kept
  --reference FILE  kubeconfig of a kube-apiserver that the authorization campaign compares with; it writes objects named az-…
  --seed N        start of the random numbers (default: the time)
`;

const { values, positionals } = readArguments();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const known = Object.keys({ ...campaigns, ...etcdCampaigns });
const unknown = positionals.find((name) => !known.includes(name));
if (unknown !== undefined) fail(`no campaign "${unknown}"; there are ${known.join(", ")}`);
if (findEtcd() !== undefined) Object.assign(campaigns, etcdCampaigns);
else console.log(`faults: etcd is not installed; skipped ${Object.keys(etcdCampaigns).join(", ")}`);

const interrupted = new AbortController();
process.on("SIGINT", () => {
  if (interrupted.signal.aborted) process.exit(130);
  console.log("faults: interrupted; ending after the current step (Ctrl-C again to stop at once)");
  interrupted.abort();
});
const settings: Settings = {
  times: numberOf("times"),
  duration: numberOf("seconds"),
  policies: numberOf("policies") ?? 10_000,
  fault: values.fault,
  reference: values.reference,
  seed: numberOf("seed") ?? Date.now() % 2 ** 31,
  progress: (line) => console.log(`faults: ${new Date().toISOString().slice(11, 19)} ${line}`),
  signal: interrupted.signal,
};
const isWhole = settings.times === undefined && settings.fault === undefined;
for (const name of positionals.length > 0 ? positionals : Object.keys(campaigns)) {
  const campaign = campaigns[name];
  if (campaign === undefined || isInterrupted()) continue;
  console.log(`faults: ${name}, seed ${settings.seed}`);
  const load = loadavg();
  const report = await campaign(settings);
  const figures = { seed: settings.seed, ...(isInterrupted() && { interrupted: true }), ...report };
  console.log(JSON.stringify(figures, undefined, 2));
  if (isWhole) keepResult(name, figures, load);
  if (report.problems.length > 0) process.exitCode = 1;
}
if (isInterrupted()) process.exit(130);

function isInterrupted(): boolean {
  return interrupted.signal.aborted;
}

function readArguments() {
  const text = { type: "string" } as const;
  const help = { type: "boolean", short: "h", default: false } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: { times: text, seconds: text, seed: text, policies: text, fault: text, reference: text, help },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function numberOf(flag: "times" | "seconds" | "seed" | "policies"): number | undefined {
  const text = values[flag];
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? Number(text) : fail(`--${flag}: "${text}" is not a number`);
}

function fail(message: string): never {
  console.error(`faults: ${message}\nhelp: npm run faults -- --help`);
  process.exit(3);
}
