// npm run bench -- capacity [--quick] [--only objects|policies|watchers|replicas]: the capacity of one `celadon up`, its growth with
// objects, policies and watchers, and the gain of several over one etcd. Linux only; etcd where it is installed.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findEtcd, startEtcd } from "@celadon/storage/testing";
import { Client } from "./apiserver/client.ts";
import { configMap, pod, podPolicy } from "./apiserver/objects.ts";
import { makeNamespace, openFanOut } from "./apiserver/scenarios.ts";
import { celadon, type Running } from "./apiserver/servers.ts";
import { cpuOf, residentOf } from "./apiserver/usage.ts";
import { writeCapacityPage } from "./capacity-page.ts";
import { keep, load } from "./keep.ts";
import { median } from "./measure.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false }, only: { type: "string" } } });
const CORE = "/api/v1/namespaces/bench";
const ADMISSION = "/apis/admissionregistration.k8s.io/v1";
const PAGE = 500;
const CONNECTIONS = 256;

type Figures = Readonly<Record<string, number>>;
const PARTS: Readonly<Record<string, () => Promise<readonly Figures[]>>> = { objects, policies, watchers, replicas };

const loads = [load()];
const path = fileURLToPath(new URL("../results/apiserver-capacity.json", import.meta.url));
const kept = previous();
for (const [name, measure] of Object.entries(PARTS)) {
  if (values.only !== undefined && values.only !== name) continue;
  const rows = await measure();
  console.log(`\n${name}`);
  console.table(rows);
  kept[name] = rows;
}
loads.push(load());
if (!values.quick) {
  keep("apiserver-capacity", { load: loads, ...kept });
  writeCapacityPage();
}

/** The parts that are not measured this time stay as they are. */
function previous(): Record<string, unknown> {
  try {
    const all = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    return Object.fromEntries(Object.entries(all).filter(([name]) => name in PARTS));
  } catch {
    return {};
  }
}

/** Memory, disk and times with ever more objects; the embedded store. */
async function objects(): Promise<readonly Figures[]> {
  const rows: Figures[] = [];
  await withServer([], async (server, client) => {
    let made = 0;
    for (const count of values.quick ? [0, 2_000] : [0, 10_000, 100_000]) {
      const begun = performance.now();
      const before = made;
      await inParallel(CONNECTIONS, count - made, () =>
        client.call("POST", `${CORE}/configmaps`, { body: configMap(`c-${made++}`, "all") }),
      );
      const created = (count - before) / ((performance.now() - begun) / 1000);
      await pause(3000);
      const memoryMiB = residentOf(server.pids);
      const getMs = await timeOf(20, () => client.call("GET", `${CORE}/configmaps/c-0`, { expect: [200, 404] }));
      const pageMs = await timeOf(10, () => client.call("GET", `${CORE}/configmaps?limit=${PAGE}`));
      const paged = await listInPages(server, client);
      // One that every namespace has.
      if (paged.listed !== count + 1) throw new Error(`${paged.listed} objects listed of ${count}`);
      rows.push(
        rounded({
          objects: count,
          createsPerSecond: count === before ? 0 : created,
          memoryMiB,
          diskMB: statSync(join(server.directory, "store/data.mdb")).size / 1e6,
          getMs,
          pageOf500Ms: pageMs,
          allPagesMs: paged.ms,
          peakMemoryMiB: paged.peakMiB,
        }),
      );
    }
    await server.end();
    const again = await celadon("server").start(server.directory);
    rows[rows.length - 1] = { ...rows.at(-1)!, readyAgainMs: Math.round(again.readyMs) };
    await again.end();
  });
  return rows;
}

async function listInPages(server: Running, client: Client): Promise<{ listed: number; ms: number; peakMiB: number }> {
  const begun = performance.now();
  let [listed, peakMiB, next] = [0, 0, ""];
  do {
    const query = next === "" ? "" : `&continue=${encodeURIComponent(next)}`;
    const { items, metadata } = await client.json("GET", `${CORE}/configmaps?limit=${PAGE}${query}`);
    listed += items.length;
    next = metadata.continue ?? "";
    peakMiB = Math.max(peakMiB, residentOf(server.pids));
  } while (next !== "");
  return { listed, ms: performance.now() - begun, peakMiB };
}

/** Memory and the CPU of a dry run with ever more policies, three of which match. */
async function policies(): Promise<readonly Figures[]> {
  const rows: Figures[] = [];
  await withServer(["--memory"], async (server, client) => {
    let made = 0;
    for (const count of values.quick ? [0, 50] : [0, 3, 100, 1_000, 5_000]) {
      for (; made < count; made++) {
        const [policy, binding] = podPolicy(`bench-${made}`);
        const matching = made < 3 ? policy : elsewhere(policy, made);
        await client.call("POST", `${ADMISSION}/validatingadmissionpolicies`, { body: matching });
        await client.call("POST", `${ADMISSION}/validatingadmissionpolicybindings`, { body: binding });
      }
      const dryRun = (n: number): Promise<unknown> =>
        client.call("POST", `${CORE}/pods?dryRun=All`, { body: pod(`pod-${n}`) });
      for (let n = 0; n < 1500; n++) await dryRun(n);
      const before = cpuOf(server.pids);
      for (let n = 0; n < 1000; n++) await dryRun(n);
      const cpuMsPerDryRun = (cpuOf(server.pids) - before) / 1000;
      rows.push(
        rounded({ policies: count, matching: Math.min(3, count), memoryMiB: residentOf(server.pids), cpuMsPerDryRun }),
      );
    }
  });
  return rows;
}

/** Half of them about other resources, half about other namespaces. */
function elsewhere(policy: object, n: number): object {
  const { spec, ...rest } = policy as { spec: { matchConstraints: { resourceRules: readonly object[] } } };
  const [rule] = spec.matchConstraints.resourceRules;
  const matchConstraints =
    n % 2 === 0
      ? { resourceRules: [{ ...rule, resources: [`others-${n % 100}`] }] }
      : { ...spec.matchConstraints, namespaceSelector: { matchLabels: { team: `t${n}` } } };
  return { ...rest, spec: { ...spec, matchConstraints } };
}

/** Memory and deliveries with ever more watchers of one kind. */
async function watchers(): Promise<readonly Figures[]> {
  const rows: Figures[] = [];
  for (const count of values.quick ? [100] : [100, 1_000, 3_000]) {
    await withServer(["--memory"], async (server, client) => {
      const before = residentOf(server.pids);
      const events = Math.max(10, Math.round(20_000 / count));
      const watched = await openFanOut(client, { watchers: count, events, warmUp: values.quick ? 0 : 1000 });
      const memoryMiB = residentOf(server.pids);
      await watched.run();
      const cpu = cpuOf(server.pids);
      const begun = performance.now();
      await watched.run();
      const seconds = (performance.now() - begun) / 1000;
      const deliveries = count * events;
      rows.push(
        rounded({
          watchers: count,
          memoryMiB,
          kBPerWatcher: ((memoryMiB - before) * 1024) / count,
          deliveriesPerSecond: deliveries / seconds,
          cpuMsPerDelivery: (cpuOf(server.pids) - cpu) / deliveries,
        }),
      );
      watched.close();
    });
  }
  return rows;
}

/** Servers over one member of etcd, under load at the same time. */
async function replicas(): Promise<readonly Figures[]> {
  if (findEtcd() === undefined) return [];
  const rows: Figures[] = [];
  for (const count of [1, 2]) {
    const member = await startEtcd();
    const servers: Running[] = [];
    try {
      for (let i = 0; i < count; i++) servers.push(await celadon("etcd", ["--etcd-servers", member.endpoint]).start());
      const clients = servers.map(({ target }) => new Client(target, 16));
      await makeNamespace(clients[0]!);
      const pids = servers.flatMap((server) => server.pids);
      const rate = async (
        ask: (client: Client, n: number) => Promise<unknown>,
      ): Promise<{ perSecond: number; cpu: number }> => {
        const requests = values.quick ? 300 : 3000;
        let n = 0;
        const before = cpuOf(pids);
        const begun = performance.now();
        await inParallel(16 * count, requests, () => {
          const i = n++;
          return ask(clients[i % clients.length]!, i);
        });
        return { perSecond: requests / ((performance.now() - begun) / 1000), cpu: (cpuOf(pids) - before) / requests };
      };
      const create = (client: Client, n: number): Promise<unknown> =>
        client.call("POST", `${CORE}/configmaps`, { body: configMap(`c-${n}`, "all") });
      const get = (client: Client, n: number): Promise<unknown> => client.call("GET", `${CORE}/configmaps/c-${n}`);
      const writes = await rate(create);
      const reads = await rate(get);
      rows.push(
        rounded({
          servers: count,
          createsPerSecond: writes.perSecond,
          cpuMsPerCreate: writes.cpu,
          readsPerSecond: reads.perSecond,
          cpuMsPerRead: reads.cpu,
          memoryMiB: residentOf(pids),
        }),
      );
      for (const client of clients) client.close();
    } finally {
      for (const server of servers) await server.stop();
      await member.remove();
    }
  }
  return rows;
}

async function withServer(
  flags: readonly string[],
  use: (server: Running, client: Client) => Promise<void>,
): Promise<void> {
  const server = await celadon("server", flags).start();
  const client = new Client(server.target, CONNECTIONS);
  try {
    await makeNamespace(client);
    await use(server, client);
  } finally {
    client.close();
    await server.stop();
  }
}

async function inParallel(width: number, count: number, call: () => Promise<unknown>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (left-- > 0) await call();
    }),
  );
}

/** Milliseconds a call takes here, of several. */
async function timeOf(times: number, call: () => Promise<unknown>): Promise<number> {
  const found: number[] = [];
  for (let i = 0; i < times; i++) {
    const begun = performance.now();
    await call();
    found.push(performance.now() - begun);
  }
  return median(found);
}

function rounded(figures: Figures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(3))]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
