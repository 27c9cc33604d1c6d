// One measurement of one store in a process of its own: node storage-child.js <store> <where> <measure> <seconds> [writers]
// Prints one line of JSON. `where` is a directory for LMDB, an endpoint for etcd.

import type { Store, StoreOperation } from "@celadon/storage";
import { openEtcd } from "@celadon/storage/etcd";
import { openLmdb } from "@celadon/storage/lmdb";
import { openMemory } from "@celadon/storage/memory";

const [kind, where, measure, seconds, amount] = process.argv.slice(2) as [string, string, string, string, string];

/** A value like an object of Kubernetes in a store: some 2 kB, no two the same. */
function value(n: number, bytes = 2_048): Buffer {
  const labels = Array.from({ length: 40 }, (_, i) => `"label-${i}":"${(n * 2_654_435_761 + i * 40_503) >>> 0}"`);
  const text = `{"kind":"Pod","metadata":{"name":"pod-${n}","labels":{${labels.join()}}},"spec":{"containers":[{"image":"`;
  return Buffer.from(`${text.padEnd(bytes - 5, "registry.example.com/app:v1 ")}"}]}}`.slice(0, bytes));
}

const opened = performance.now();
const store = await open();
const openMilliseconds = performance.now() - opened;
const answer = await measures()[measure]!();
console.log(JSON.stringify(answer));
await store.close();
process.exit(0);

async function open(): Promise<Store> {
  if (kind === "memory") return openMemory();
  if (kind === "LMDB") return openLmdb(where);
  return openEtcd({ endpoints: [where], prefix: `/bench-${measure}`, timeout: 60_000, attemptTimeout: 60_000 });
}

function measures(): Record<string, () => Promise<object>> {
  return {
    writes: () => writes(Number(amount)),
    reads: () => reads(Number(amount)),
    list: () => list(Number(amount)),
    "fan-out": () => fanOut(Number(amount)),
    fill: () => fill(Number(amount), 2_048),
    "fill-small": () => fill(Number(amount), 100),
    open: async () => ({ openMilliseconds, count: (await store.count("/")).count }),
  };
}

/** Writers that write new keys, each waiting for the answer. */
async function writes(writers: number): Promise<object> {
  const values = Array.from({ length: 512 }, (_, i) => value(i));
  let n = 0;
  const write = async (writer: number): Promise<void> => {
    const key = `/pods/ns-${writer % 20}/pod-${process.pid}-${n++}`;
    await store.write([{ op: "put", key, value: values[n % values.length]!, ifRevision: 0 }]);
  };
  return rate(writers, write);
}

async function reads(readers: number): Promise<object> {
  const keys = await fillKeys(10_000, 2_048);
  let n = 0;
  return rate(readers, async () => {
    const { entry } = await store.get(keys[(n++ * 7_919) % keys.length]!);
    if (entry?.value.byteLength !== 2_048) throw new Error("a read found the wrong value");
  });
}

async function list(count: number): Promise<object> {
  await fillKeys(count, 2_048);
  const times: number[] = [];
  const end = performance.now() + Number(seconds) * 1000;
  while (performance.now() < end || times.length < 3) {
    const started = performance.now();
    const { entries } = await store.list("/pods/");
    times.push(performance.now() - started);
    if (entries.length !== count) throw new Error(`a list has ${entries.length} entries`);
  }
  return { milliseconds: times.sort((a, b) => a - b)[times.length >> 1] };
}

/** Many watchers of one prefix, and writers; how many changes reach a watcher in a second. */
async function fanOut(watchers: number): Promise<object> {
  const count = 1_000;
  const from = (await store.revision()) + 1;
  const started = performance.now();
  const cpu = process.cpuUsage();
  const all = Array.from({ length: watchers }, async () => {
    const watch = store.watch("/pods/", { from });
    for (let seen = 0; seen < count; ) {
      const next = await watch.next();
      if (!next.done && next.value.type === "changes") seen += next.value.changes.length;
    }
    watch.close();
  });
  await fillKeys(count, 2_048);
  await Promise.all(all);
  const { user, system } = process.cpuUsage(cpu);
  const elapsed = (performance.now() - started) / 1000;
  return { perSecond: (watchers * count) / elapsed, cpuMicroseconds: (user + system) / (watchers * count) };
}

async function fill(count: number, bytes: number): Promise<object> {
  const before = process.memoryUsage.rss();
  await fillKeys(count, bytes);
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { residentBytes: rss - before, heapBytes: heapUsed + external };
}

async function fillKeys(count: number, bytes: number): Promise<string[]> {
  const keys: string[] = [];
  const pending = new Set<Promise<unknown>>();
  for (let i = 0; i < count; i += 100) {
    const operations: StoreOperation[] = [];
    for (let j = i; j < Math.min(i + 100, count); j++) {
      const key = `/pods/ns-${j % 20}/pod-${j}`;
      keys.push(key);
      operations.push({ op: "put", key, value: value(j, bytes) });
    }
    const writing: Promise<unknown> = store.write(operations).finally(() => pending.delete(writing));
    pending.add(writing);
    if (pending.size >= 20) await Promise.race(pending);
  }
  await Promise.all(pending);
  return keys;
}

/** The calls per second with a given number at once, and this process's time for one. */
async function rate(clients: number, call: (client: number) => Promise<void>): Promise<object> {
  await Promise.all(Array.from({ length: clients }, (_, client) => call(client)));
  const started = performance.now();
  const end = started + Number(seconds) * 1000;
  const cpu = process.cpuUsage();
  let done = 0;
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < end) {
        await call(client);
        done += 1;
      }
    }),
  );
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: done / ((performance.now() - started) / 1000),
    cpuMicroseconds: (user + system) / done,
    calls: done,
  };
}
