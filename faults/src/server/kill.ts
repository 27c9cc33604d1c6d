// kill -9 for `celadon up` over the embedded store, again and again, while clients write and watch. Nothing acknowledged may be lost,
// watchers continue without a gap, and the policy is in force from the first request after each start.

import { type CampaignOptions, pause, until, type WriteReport } from "../campaign.ts";
import { seeded } from "../random.ts";
import { Client } from "./client.ts";
import { UpProcess } from "./up-process.ts";
import { POLICY, verify, Watcher, Writers } from "./writers.ts";

export interface ServerKillOptions extends CampaignOptions {
  /** The JavaScript of the command. */
  readonly command: string;
  readonly times: number;
  /** Stop earlier after so many seconds. */
  readonly seconds?: number;
  /** The number of servers in parallel, each with its own data and clients. */
  readonly servers?: number;
}

export interface ServerKillReport extends WriteReport {
  readonly servers: number;
  readonly kills: number;
  readonly killsBeforeReady: number;
  readonly events: number;
  readonly watches: number;
  readonly denied: number;
  readonly longestStartMs: number;
  readonly medianStartMs: number;
}

const WRITERS = 6;
const WATCHERS = 4;
/** The longest time from ready to kill. */
const LIFE_MS = 400;
/** One in this many is killed before it is ready. */
const EARLY = 8;

export async function serverKillCampaign(options: ServerKillOptions): Promise<ServerKillReport> {
  const { servers = 4, times } = options;
  const each = Array.from({ length: servers }, (_, i) => Math.floor((times + i) / servers));
  const lanes = await Promise.all(
    each.map((kills, i) => runLane({ ...options, times: kills, seed: options.seed + i })),
  );
  const sum = (figure: (lane: Lane) => number): number => lanes.reduce((total, lane) => total + figure(lane), 0);
  const starts = lanes.flatMap((lane) => lane.starts).sort((a, b) => a - b);
  return {
    servers,
    kills: sum(({ kills }) => kills),
    killsBeforeReady: sum(({ early }) => early),
    acknowledged: sum(({ writes }) => writes.acknowledged),
    unacknowledgedFound: sum(({ writes }) => writes.unacknowledgedFound),
    unacknowledgedAbsent: sum(({ writes }) => writes.unacknowledgedAbsent),
    lost: sum(({ writes }) => writes.lost),
    denied: sum(({ denied }) => denied),
    events: sum(({ events }) => events),
    watches: sum(({ watches }) => watches),
    medianStartMs: starts[starts.length >> 1] ?? 0,
    longestStartMs: starts.at(-1) ?? 0,
    problems: lanes.flatMap(({ problems }) => problems),
  };
}

interface Lane {
  readonly kills: number;
  readonly early: number;
  readonly writes: Omit<WriteReport, "problems">;
  readonly denied: number;
  readonly events: number;
  readonly watches: number;
  readonly starts: readonly number[];
  readonly problems: readonly string[];
}

/** One server with its clients. */
async function runLane(options: ServerKillOptions): Promise<Lane> {
  const random = seeded(options.seed);
  const server = new UpProcess(options.command);
  const problems: string[] = [];
  const starts: number[] = [];
  let [kills, early] = [0, 0];
  try {
    const first = await server.start(server.manifests(POLICY));
    if (first !== "ready") throw new Error(`the server did not start: ${server.log}`);
    const client = new Client(server.pki, () => server.port);
    const { body } = await client.call("GET", "/api/v1/namespaces/default/configmaps");
    const from = Number(body.metadata.resourceVersion);
    const writers = new Writers();
    writers.start(() => client, WRITERS, random);
    const watchers = Array.from({ length: WATCHERS }, () => new Watcher(() => client, from));
    const end = Date.now() + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
    const isOver = (): boolean => options.signal?.aborted === true || Date.now() >= end;
    while (kills < options.times && (kills === 0 || !isOver()) && problems.length === 0) {
      await pause(random(LIFE_MS));
      kills += 1;
      const ended = await server.end("SIGKILL");
      if (ended !== "SIGKILL") problems.push(`the server ended by itself with ${ended}: ${server.log}`);
      while (random(EARLY) === 0) {
        await Promise.race([server.start(), pause(random(LIFE_MS))]);
        await server.end("SIGKILL");
        kills += 1;
        early += 1;
      }
      const started = Date.now();
      const outcome = await server.start();
      if (outcome !== "ready") problems.push(`the server did not start again (${outcome}): ${server.log}`);
      starts.push(Date.now() - started);
      if (starts.length % 50 === 0) options.progress?.(`${kills} kills, ${writers.noted.length} writes`);
    }
    // On a slow machine there may have been no write yet.
    await until(() => writers.noted.some(({ version }) => version !== undefined), 60);
    await writers.stop();
    const { findings, events } = await verify(client, writers, watchers);
    await Promise.all(watchers.map((watcher) => watcher.stop()));
    client.close();
    const watches = watchers.reduce((total, { resumed }) => total + resumed, 0);
    const found = [...problems, ...findings.problems];
    return { kills, early, writes: findings.writes, denied: writers.denied, events, watches, starts, problems: found };
  } finally {
    await server.remove();
  }
}
