// npm run bench -- apiserver [--kubernetes DIR] [--quick] [--only NAME…]: what `celadon up` spends on a request, with LMDB and in memory,
// beside kube-apiserver and etcd where DIR has them. CPU is measured in the servers' processes, so that other work of the machine matters
// little; the servers take turns at every scenario. `first` is the first round, before the JIT compiler knows the code; the figures are
// medians of rounds after it was warmed up. --only keeps the other figures of the last run. Linux only.

import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Client } from "./apiserver/client.ts";
import { makeNamespace, openFanOut, POLICIES, SCENARIOS, type Scenario } from "./apiserver/scenarios.ts";
import { type Competitor, celadon, kubernetes, type Running } from "./apiserver/servers.ts";
import { cpuOf, residentOf } from "./apiserver/usage.ts";
import { writeCapacityPage } from "./capacity-page.ts";
import { keep, load } from "./keep.ts";
import { median } from "./measure.ts";

const { values } = parseArgs({
  options: {
    kubernetes: { type: "string" },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    requests: { type: "string" },
  },
});
const REQUESTS = Number(values.requests ?? (values.quick ? 300 : 1000));
const CONCURRENCY = 4;
/** Requests before the figures count, many at once: the JIT compiler needs some thousands. */
const WARM_UP = values.quick ? 500 : 6000;
const CONNECTIONS = 64;
const STARTS = values.quick || !isWanted("start") ? 1 : 3;
const ROUNDS = values.quick ? 1 : 3;
const FAN_OUT = { watchers: 100, events: values.quick ? 50 : 200, warmUp: values.quick ? 0 : 2000 };
const DELIVERY_GOAL_MS = 0.0135;

interface Row {
  readonly what: string;
  readonly unit: string;
  readonly goal: number;
  /** By server. */
  readonly figures: Readonly<Record<string, number>>;
  /** The figures of the first round, by server. */
  readonly first?: Readonly<Record<string, number>>;
  /** Requests or deliveries a second, by server. */
  readonly perSecond?: Readonly<Record<string, number>>;
  /** The load of the machine during the measurement. */
  readonly load?: number;
}

interface Contestant {
  readonly name: string;
  readonly server: Running;
  readonly client: Client;
}

const competitors: readonly Competitor[] = [
  celadon("LMDB"),
  celadon("memory", ["--memory"]),
  ...(values.kubernetes === undefined ? [] : [kubernetes(values.kubernetes)]),
];
if (values.kubernetes === undefined)
  console.log("measured without kube-apiserver: --kubernetes names the directory of its binary and etcd's");

const rows: Row[] = [];
const contestants: Contestant[] = [];
try {
  await starts();
  for (const scenario of SCENARIOS) if (isWanted(scenario.name)) add(await compare(scenario));
  if (values.only === undefined) add(perPolicy());
  if (isWanted("watch event")) add(await fanOut());
  if (values.only === undefined) add(memory("memory afterwards", 206));
} finally {
  for (const { client, server } of contestants) {
    client.close();
    await server.stop();
  }
}
print();
if (!values.quick) keepRows();

function isWanted(name: string): boolean {
  return values.only === undefined || values.only.includes(name);
}

function add(row: Row): void {
  rows.push({ ...row, load: load() });
}

/** Every server from nothing, several times; the last ones stay. */
async function starts(): Promise<void> {
  const ready: Record<string, number[]> = {};
  for (let i = 0; i < STARTS; i++) {
    for (const { name, start } of competitors) {
      const server = await start();
      (ready[name] ??= []).push(server.readyMs);
      if (i < STARTS - 1) await server.stop();
      else contestants.push({ name, server, client: new Client(server.target, CONNECTIONS) });
    }
  }
  const goal = 340;
  if (isWanted("start")) {
    add({ what: "start until ready", unit: "ms", goal, figures: mapValues(ready, median) });
    await pause(5000);
    add(memory("memory when started", 103));
  }
  for (const { client } of contestants) await makeNamespace(client);
}

function memory(what: string, goal: number): Row {
  const figures = contestants.map(({ name, server }) => [name, residentOf(server.pids)] as const);
  return { what, unit: "MiB", goal, figures: Object.fromEntries(figures) };
}

async function compare(scenario: Scenario): Promise<Row> {
  const first: Record<string, number> = {};
  const cpu: Record<string, number[]> = {};
  const speed: Record<string, number[]> = {};
  const count = Math.ceil(REQUESTS / (scenario.share ?? 1));
  const warmUp = Math.ceil(WARM_UP / (scenario.share ?? 1));
  for (const { name, server, client } of contestants) {
    await scenario.prepare?.(client);
    first[name] = (await measured(server, () => requests(scenario, client, 0, count, CONCURRENCY))).cpuMs / count;
    await requests(scenario, client, count, warmUp, CONNECTIONS);
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, server, client } of contestants) {
      const from = count + warmUp + round * count;
      const { cpuMs, seconds } = await measured(server, () => requests(scenario, client, from, count, CONCURRENCY));
      (cpu[name] ??= []).push(cpuMs / count);
      (speed[name] ??= []).push(count / seconds);
    }
  }
  const row = { what: scenario.name, unit: "ms of CPU", goal: scenario.goalMs };
  return { ...row, figures: mapValues(cpu, median), first, perSecond: mapValues(speed, median) };
}

async function requests(s: Scenario, client: Client, from: number, count: number, atOnce: number): Promise<void> {
  let next = from;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < from + count) await s.request(client, next++);
    }),
  );
}

/** The time that each matching policy adds to a dry run. */
function perPolicy(): Row {
  const [without, withPolicies] = ["dry run of a Pod", `dry run of a Pod, ${POLICIES} matching policies`].map(
    (name) => rows.find(({ what }) => what === name)!.figures,
  );
  const figures = Object.keys(without!).map((name) => [name, (withPolicies![name]! - without![name]!) / POLICIES]);
  return { what: "  each of these policies", unit: "ms of CPU", goal: 0.072, figures: Object.fromEntries(figures) };
}

/** The CPU includes the writes and all deliveries. */
async function fanOut(): Promise<Row> {
  const deliveries = FAN_OUT.watchers * FAN_OUT.events;
  const first: Record<string, number> = {};
  const figures: Record<string, number> = {};
  const perSecond: Record<string, number> = {};
  for (const { name, server, client } of contestants) {
    const watched = await openFanOut(client, FAN_OUT);
    await pause(1000);
    first[name] = (await measured(server, () => watched.run())).cpuMs / deliveries;
    const found = [];
    for (let round = 0; round < ROUNDS; round++) found.push(await measured(server, () => watched.run()));
    figures[name] = median(found.map(({ cpuMs }) => cpuMs / deliveries));
    perSecond[name] = median(found.map(({ seconds }) => deliveries / seconds));
    watched.close();
  }
  const what = `watch event, ${FAN_OUT.watchers} watchers`;
  return { what, unit: "ms of CPU", goal: DELIVERY_GOAL_MS, figures, first, perSecond };
}

async function measured({ pids }: Running, work: () => Promise<void>): Promise<{ cpuMs: number; seconds: number }> {
  const before = cpuOf(pids);
  const begun = performance.now();
  await work();
  return { cpuMs: cpuOf(pids) - before, seconds: (performance.now() - begun) / 1000 };
}

function print(): void {
  const { model } = cpus()[0]!;
  console.log(`node ${process.version}, ${model.trim()}, ${cpus().length} processors, load ${rows.at(-1)?.load}`);
  console.log(`${REQUESTS} requests a round, ${CONCURRENCY} at once, median of ${ROUNDS} rounds\n`);
  const names = competitors.map(({ name }) => name);
  const table = rows.map(({ what, unit, goal, figures, first, perSecond }) => ({
    "": what,
    unit,
    goal: shown(goal),
    ...Object.fromEntries(names.map((name) => [name, shown(figures[name])])),
    ...(first === undefined ? {} : { "LMDB, first": shown(first.LMDB) }),
    ...(perSecond === undefined ? {} : { "LMDB, a second": shown(perSecond.LMDB) }),
  }));
  console.table(table);
}

/** Rows that were not measured this time stay as they are. */
function keepRows(): void {
  const path = fileURLToPath(new URL("../results/apiserver.json", import.meta.url));
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { rows: readonly Row[] }).rows : [];
  const order = [...new Set([...kept, ...rows].map(({ what }) => what))];
  const all = order.map((what) => [...kept, ...rows].findLast((row) => row.what === what)!);
  keep("apiserver", { requests: REQUESTS, concurrency: CONCURRENCY, rounds: ROUNDS, rows: all });
  writeCapacityPage();
}

function shown(figure: number | undefined): string {
  if (figure === undefined) return "";
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(2);
}

function mapValues<A, B>(of: Readonly<Record<string, A>>, map: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, map(value)]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
