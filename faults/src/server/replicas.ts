// Two API servers over three etcd members under load while members and servers fail: the leader is killed, or stopped and continued, all
// members are restarted, and one of the servers is killed. Writers and watchers switch to the other server when one does not respond.

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type EtcdMember, etcdCluster } from "@celadon/storage/testing";
import { type CampaignOptions, pause, type WriteReport } from "../campaign.ts";
import { faults as etcdFaults, leaderOf } from "../etcd/faults.ts";
import { type Random, seeded } from "../random.ts";
import { Client } from "./client.ts";
import { UpProcess } from "./up-process.ts";
import { POLICY, verify, Watcher, Writers } from "./writers.ts";

export interface ReplicaOptions extends CampaignOptions {
  /** The JavaScript of the command. */
  readonly command: string;
  /** The number of times each fault happens. */
  readonly times: number;
  /** Only these faults. */
  readonly only?: readonly string[];
}

export interface ReplicaReport extends WriteReport {
  readonly faults: Readonly<Record<string, number>>;
  /** The longest time without an acknowledged write. */
  readonly longestOutageMs: number;
  readonly events: number;
  readonly denied: number;
  /** Writes that failed with a Status while etcd was unavailable, by message. */
  readonly refused: Readonly<Record<string, number>>;
}

type Fault = (members: readonly EtcdMember[], servers: readonly UpProcess[], random: Random) => Promise<void>;

const FAULTS: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    etcdFaults.map(({ name, run }): [string, Fault] => [`etcd: ${name}`, (members, _, random) => run(members, random)]),
  ),
  "server killed": async (_members, servers, random) => {
    const server = servers[random(servers.length)]!;
    await server.end("SIGKILL");
    await started(server);
  },
  "leader and a server killed": async (members, servers, random) => {
    const leader = await leaderOf(members);
    const server = servers[random(servers.length)]!;
    await Promise.all([leader.stop("SIGKILL"), server.end("SIGKILL")]);
    leader.start();
    await started(server);
  },
};

/** The time for which clients work between faults. */
const CALM_MS = 3_000;

export async function replicaCampaign(options: ReplicaOptions): Promise<ReplicaReport> {
  const random = seeded(options.seed);
  const members = await etcdCluster(3);
  for (const member of members) member.start();
  const servers: UpProcess[] = [];
  try {
    await Promise.all(members.map((member) => member.ready()));
    servers.push(...(await startServers(options.command, members)));
    const clients = servers.map(({ pki }, i) => new Client(pki, () => servers[i]!.port));
    // Either server, like a client behind a load balancer.
    const either = (): Client => clients[random(clients.length)]!;
    const { body } = await clients[0]!.call("GET", "/api/v1/namespaces/default/configmaps");
    const from = Number(body.metadata.resourceVersion);
    const writers = new Writers({ isOutage: (code) => code >= 500 || code === 429 });
    writers.start(either, 6, random);
    const watchers = Array.from({ length: 4 }, () => new Watcher(either, from));
    const happened: Record<string, number> = {};
    for (let round = 0; round < options.times; round++) {
      for (const [name, fault] of Object.entries(FAULTS)) {
        if (options.only?.includes(name) === false || options.signal?.aborted) continue;
        await pause(CALM_MS);
        await fault(members, servers, random);
        await Promise.all(members.map((member) => member.ready()));
        happened[name] = (happened[name] ?? 0) + 1;
        options.progress?.(`${name}: ${writers.noted.length} writes, longest outage ${writers.longestOutage} ms`);
      }
    }
    await pause(CALM_MS);
    await writers.stop();
    const { findings, events } = await verify(clients[0]!, writers, watchers);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    for (const client of clients) client.close();
    return {
      faults: happened,
      longestOutageMs: writers.longestOutage,
      ...findings.writes,
      denied: writers.denied,
      events,
      refused: Object.fromEntries(writers.outages),
      problems: findings.problems,
    };
  } finally {
    await Promise.all(servers.map((server) => server.remove()));
    await Promise.all(members.map((member) => member.remove()));
  }
}

/** Two servers that share a certificate authority, as replicas do. */
async function startServers(command: string, members: readonly EtcdMember[]): Promise<UpProcess[]> {
  const etcd = ["--etcd-servers", members.map(({ endpoint }) => endpoint).join(",")];
  const [first, second] = [new UpProcess(command, etcd), new UpProcess(command, etcd)];
  await started(first, first.manifests(POLICY));
  mkdirSync(second.pki, { recursive: true });
  for (const file of ["ca.crt", "ca.key", "tokens.key"]) cpSync(join(first.pki, file), join(second.pki, file));
  await started(second);
  return [first, second];
}

async function started(server: UpProcess, flags: readonly string[] = []): Promise<void> {
  const outcome = await server.start(flags);
  if (outcome !== "ready") throw new Error(`a server did not start (${outcome}): ${server.log}`);
}
