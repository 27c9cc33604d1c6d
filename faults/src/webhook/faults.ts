// The faults of the webhook campaign, in the order in which they happen.

import { type Api, ApiError } from "@celadon/client";
import { issueCertificate, keyPem } from "@celadon/pki";
import { pause } from "../campaign.ts";
import { BOUND_MS, type FaultyCluster, OWN_BINDINGS, OWN_POLICIES } from "./cluster.ts";
import { CONFIG_MAPS, CONFIGURATION, CONFIGURATIONS } from "./load.ts";
import { binding, policy, WORDS } from "./policies.ts";
import { type Replica, told } from "./processes.ts";

export interface Fault {
  readonly name: string;
  readonly run: (cluster: FaultyCluster) => Promise<void>;
  /** Takes long: happens once in a campaign with all faults. */
  readonly isLong?: true;
  /** Denied requests may pass for a moment, because the configuration is changed on purpose. */
  readonly opens?: true;
}

const DAY = 86_400_000;
const SECRETS = { group: "", version: "v1", resource: "secrets" };
const SECRET = { namespace: "kube-public", name: "celadon-webhook-tls" };
const WORDS_NAME = { namespace: "default", name: "words" };

/** All faults; one of them adds that many policies at once. */
export function faultsWith(policies: number): readonly Fault[] {
  return [
    { name: "connections to the API server cut", run: cutConnections },
    { name: "partition", run: partition },
    { name: "a replica stopped and continued", run: suspendReplica },
    { name: "a policy changed", run: (cluster) => cluster.changePolicy("") },
    { name: "the API server killed and started again", run: killServer },
    { name: "history compacted while the webhook is cut off", run: compactHistory },
    { name: "params deleted", run: deleteParams },
    { name: "Secret deleted", run: deleteSecret },
    { name: "certificate in the Secret has ended", run: endCertificate },
    { name: "clocks of all replicas jump", run: jumpClocks },
    { name: "rolling update of three replicas", run: updateReplicas },
    { name: `${policies} policies added at once`, run: (cluster) => addPolicies(cluster, policies), isLong: true },
    { name: "configuration deleted by hand", run: deleteConfiguration, opens: true },
    { name: "configuration edited by hand", run: editConfiguration, opens: true },
  ];
}

async function cutConnections({ network }: FaultyCluster): Promise<void> {
  network.cut();
  await pause(300);
}

async function partition({ network }: FaultyCluster): Promise<void> {
  network.silence(true);
  await pause(1_000);
  network.silence(false);
}

async function suspendReplica({ replicas }: FaultyCluster): Promise<void> {
  replicas[0]!.child.kill("SIGSTOP");
  await pause(1_000);
  replicas[0]!.child.kill("SIGCONT");
}

async function killServer(cluster: FaultyCluster): Promise<void> {
  const { server, load } = cluster;
  load.isAway = true;
  await server.kill();
  await pause(500);
  await server.start();
  await pause(100);
  load.isAway = false;
  await cluster.changePolicy(" after the API server was killed");
}

async function compactHistory(cluster: FaultyCluster): Promise<void> {
  const { api, network, server, load } = cluster;
  const { metadata } = await api.get(CONFIG_MAPS, WORDS_NAME);
  network.target();
  network.cut();
  await cluster.put(policy("changing", "object.metadata.name != 'changed'"));
  for (let i = 0; i < 20; i++) await cluster.put({ ...WORDS, data: { count: String(i) } });
  await server.compact();
  // The server keeps recent events in memory; a restart drops them, so that nothing before the compaction is left.
  load.isAway = true;
  await server.kill();
  await server.start();
  load.isAway = false;
  if (!(await isGone(api, metadata?.resourceVersion ?? "1"))) cluster.findings.problem("the history is not gone");
  network.target(server.port);
  // A reflector backs off after an error.
  await cluster.within("a policy changed meanwhile is enforced", () => load.isDenied("changed"), 3 * BOUND_MS);
  await api.delete(CONFIG_MAPS, WORDS_NAME);
  await cluster.within("params deleted after that count", () => load.isDenied("uses-params"), 3 * BOUND_MS);
  await restoreParams(cluster);
  await cluster.put(policy("changing", "true"));
  await cluster.within("a lifted policy is lifted", async () => !(await load.isDenied("changed")));
}

async function deleteParams(cluster: FaultyCluster): Promise<void> {
  await cluster.api.delete(CONFIG_MAPS, WORDS_NAME);
  await cluster.within("params that are gone count", () => cluster.load.isDenied("uses-params"));
  await restoreParams(cluster);
}

async function restoreParams(cluster: FaultyCluster): Promise<void> {
  await cluster.put(WORDS);
  await cluster.within("params that are back count", async () => !(await cluster.load.isDenied("uses-params")));
}

async function deleteSecret(cluster: FaultyCluster): Promise<void> {
  const { api } = cluster;
  await api.delete(SECRETS, SECRET);
  await cluster.within("a deleted Secret is made again", async () => (await api.find(SECRETS, SECRET)) !== undefined);
}

async function endCertificate(cluster: FaultyCluster): Promise<void> {
  const { api } = cluster;
  const secret = await api.get(SECRETS, SECRET);
  const ended = endedCertificate();
  await api.update(SECRETS, SECRET, { ...secret, data: { ...(secret.data as object), ...ended } });
  await cluster.within("an ended certificate is renewed", async () => {
    const { data } = await api.get(SECRETS, SECRET);
    return (data as Record<string, string>)["tls.crt"] !== ended["tls.crt"];
  });
}

async function jumpClocks(cluster: FaultyCluster): Promise<void> {
  const { api } = cluster;
  for (const clockMs of [400 * DAY, 3_600_000, -30 * DAY, 0]) {
    for (const { child } of cluster.replicas) child.send({ clockMs });
    // The leader checks the certificates when the Secret changes.
    const secret = await api.get(SECRETS, SECRET);
    const annotations = { ...secret.metadata?.annotations, "faults/clock": String(clockMs) };
    await api.update(SECRETS, SECRET, { ...secret, metadata: { ...secret.metadata, annotations } });
    await pause(300);
    await cluster.changePolicy(" while clocks jump");
  }
}

async function updateReplicas(cluster: FaultyCluster): Promise<void> {
  for (let i = 0; i < 3; i++) {
    await cluster.startReplica();
    await cluster.stopOldestReplica();
  }
}

async function addPolicies(cluster: FaultyCluster, count: number): Promise<void> {
  const { api, replicas, load, longestMs } = cluster;
  const names = Array.from({ length: count }, (_, i) => `many-${i}`);
  const last = names[count - 1]!;
  for (const { child } of replicas) await loopOf(child);
  const written = performance.now();
  await eachOf(names, async (name) => {
    // Each matches different objects, so that every request must be compared with all of them.
    const own = { objectSelector: { matchLabels: { name } } };
    await cluster.put(policy(name, `object.metadata.name != '${name}'`, {}, own));
    await cluster.put(binding(name));
  });
  longestMs[`${count} policies are written`] = Math.round(performance.now() - written);
  await cluster.within(`the last of ${count} policies is enforced`, () => load.isDenied(last));
  for (const name of [names[0]!, names[count >> 1]!])
    if (!(await load.isDenied(name))) cluster.findings.problem(`${name} is not enforced`);
  await eachOf(names, (name) => api.delete(OWN_BINDINGS, { name }));
  await cluster.within("the last of them is lifted", async () => !(await load.isDenied(last)));
  await eachOf(names, (name) => api.delete(OWN_POLICIES, { name }));
  const loops = await Promise.all(replicas.map(({ child }) => loopOf(child)));
  const most = (ms: (loop: LoopReport) => number): number => Math.round(Math.max(...loops.map(ms)));
  longestMs["the event loop of a replica was blocked"] = most((loop) => loop.longestMs);
  longestMs["CPU time of a replica without a pause"] = most((loop) => loop.mostCpuMs);
}

async function deleteConfiguration(cluster: FaultyCluster): Promise<void> {
  await cluster.api.delete(CONFIGURATIONS, CONFIGURATION);
  await cluster.within("a deleted configuration is back", () => cluster.load.isDenied("bad"));
}

async function editConfiguration(cluster: FaultyCluster): Promise<void> {
  const object = await cluster.api.get(CONFIGURATIONS, CONFIGURATION);
  const webhooks = (object.webhooks as { rules: object[] }[]).map((entry) => ({
    ...entry,
    rules: [{ ...entry.rules[0], resources: ["pods"] }],
  }));
  await cluster.api.update(CONFIGURATIONS, CONFIGURATION, { ...object, webhooks });
  await cluster.within("an edited configuration is back", () => cluster.load.isDenied("bad"));
}

/** Runs a few at a time, in order. */
async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

interface LoopReport {
  readonly longestMs: number;
  /** The most CPU time without a pause; unlike wall time, independent of how busy the machine is. */
  readonly mostCpuMs: number;
}

/** The time for which the event loop of a replica was blocked since the last call. */
async function loopOf(child: Replica["child"]): Promise<LoopReport> {
  const answer = told(child);
  child.send({ loop: true });
  return (await answer) as LoopReport;
}

/** Whether a watch from that version gets 410 Gone. */
async function isGone(api: Api, resourceVersion: string): Promise<boolean> {
  try {
    const query = { watch: true, resourceVersion, timeoutSeconds: 5 };
    const { stream } = await api.stream("/api/v1/namespaces/default/configmaps", query, {});
    for await (const chunk of stream) return Buffer.from(chunk).toString().includes('"code":410');
    return false;
  } catch (error) {
    return error instanceof ApiError && error.code === 410;
  }
}

/** A certificate as restored from an old backup. */
function endedCertificate(): Readonly<Record<"tls.crt" | "tls.key", string>> {
  const { certificate, key } = issueCertificate({
    subject: { commonName: "127.0.0.1" },
    days: 30,
    usage: "server",
    names: ["127.0.0.1"],
    now: Date.now() - 60 * DAY,
  });
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return { "tls.crt": base64(certificate), "tls.key": base64(keyPem(key)) };
}
