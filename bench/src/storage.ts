// npm run bench -- storage [--quick]: the three stores side by side. Every figure is taken in turns, a process for each, so that what
// else the machine does strikes all of them; the median counts. etcd runs where it is installed, one member on loopback.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type EtcdMember, findEtcd, startEtcd } from "@celadon/storage/testing";
import { keep, load } from "./keep.ts";
import { median } from "./measure.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });

type Figures = Readonly<Record<string, number>>;
type StoreName = "memory" | "LMDB" | "etcd";
interface Row {
  readonly what: string;
  readonly unit: string;
  readonly memory?: number;
  readonly LMDB?: number;
  readonly etcd?: number;
  /** The goal for LMDB beside etcd. */
  readonly goal?: string;
}

const child = fileURLToPath(new URL("./child/storage-child.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "celadon-bench-store-"));
const rounds = values.quick ? 1 : 5;
const seconds = values.quick ? 1 : 3;
const stores: StoreName[] = findEtcd() === undefined ? ["memory", "LMDB"] : ["memory", "LMDB", "etcd"];
const rows: Row[] = [];
const loads = [load()];

if (!stores.includes("etcd")) console.log("etcd is not installed; measured without it");
try {
  for (const writers of [1, 10, 100]) {
    const found = await inTurns("writes", writers);
    const goal = writers === 100 ? "5× etcd" : undefined;
    rows.push(row(`durable writes, ${writers} at once`, "per second", "perSecond", found, goal));
    rows.push(row(`  CPU of the client process`, "µs each", "cpuMicroseconds", found));
  }
  for (const readers of [1, 100]) {
    const found = await inTurns("reads", readers);
    rows.push(row(`reads, ${readers} at once`, "per second", "perSecond", found, "10× etcd"));
  }
  rows.push(row("list of 10,000 objects of 2 kB", "ms", "milliseconds", await inTurns("list", 10_000)));
  rows.push(row("watch, 1,000 watchers", "changes per second", "perSecond", await inTurns("fan-out", 1_000)));
  await size(values.quick ? 10_000 : 100_000);
  await openTime(values.quick ? 100_000 : 1_000_000);
  loads.push(load());
  print();
  if (!values.quick) keep("storage", { load: loads, rounds, rows });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The median of each figure, the stores taking turns. */
async function inTurns(measure: string, amount: number): Promise<Partial<Record<StoreName, Figures>>> {
  const found: Partial<Record<StoreName, Figures[]>> = {};
  for (let round = 0; round < rounds; round++) {
    for (const store of stores) (found[store] ??= []).push(await once(store, measure, amount));
  }
  return Object.fromEntries(
    Object.entries(found).map(([store, all]) => [
      store,
      Object.fromEntries(Object.keys(all[0]!).map((name) => [name, median(all.map((figures) => figures[name]!))])),
    ]),
  );
}

/** One measurement on an empty store. */
async function once(store: StoreName, measure: string, amount: number): Promise<Figures> {
  if (store !== "etcd") return withDirectory((directory) => run(store, directory, measure, amount));
  return withEtcd((member) => run(store, member.endpoint, measure, amount));
}

async function withEtcd<T>(use: (member: EtcdMember) => T | Promise<T>): Promise<T> {
  const member = await startEtcd({ flags: ["--quota-backend-bytes", String(8 * 2 ** 30)] });
  try {
    return await use(member);
  } finally {
    await member.remove();
  }
}

async function withDirectory<T>(use: (directory: string) => T | Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(folder, "lmdb-"));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function run(store: StoreName, where: string, measure: string, amount: number): Figures {
  const args = ["--expose-gc", child, store, where, measure, String(seconds), String(amount)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${store} ${measure} failed: ${stderr}`);
  return JSON.parse(stdout) as Figures;
}

/** Memory and disk for objects of 2 kB. */
async function size(count: number): Promise<void> {
  const perHundredThousand = (bytes: number): number => (bytes * (100_000 / count)) / 1e6;
  const memory = await once("memory", "fill", count);
  const lmdb = await withDirectory((directory) => {
    const { residentBytes = 0 } = run("LMDB", directory, "fill", count);
    return { residentBytes, disk: statSync(join(directory, "data.mdb")).size };
  });
  const etcd = stores.includes("etcd")
    ? await withEtcd((member) => {
        const before = member.residentBytes();
        run("etcd", member.endpoint, "fill", count);
        return { residentBytes: member.residentBytes() - before, disk: member.diskBytes() };
      })
    : undefined;
  rows.push({
    what: "memory for 100,000 objects of 2 kB",
    unit: "MB more resident",
    memory: perHundredThousand(memory.residentBytes!),
    LMDB: perHundredThousand(lmdb.residentBytes),
    ...(etcd === undefined ? {} : { etcd: perHundredThousand(etcd.residentBytes) }),
  });
  rows.push({
    what: "disk for 100,000 objects of 2 kB",
    unit: "MB",
    LMDB: perHundredThousand(lmdb.disk),
    ...(etcd === undefined ? {} : { etcd: perHundredThousand(etcd.disk) }),
  });
}

/** From nothing to a store that answers, with many keys in it. */
async function openTime(count: number): Promise<void> {
  const lmdb = await withDirectory((directory) => {
    run("LMDB", directory, "fill-small", count);
    const times = Array.from({ length: 5 }, () => {
      const figures = run("LMDB", directory, "open", count);
      if (figures.count !== count) throw new Error(`${figures.count} keys of ${count}`);
      return figures.openMilliseconds!;
    });
    return median(times);
  });
  const etcd = stores.includes("etcd")
    ? await withEtcd(async (member) => {
        run("etcd", member.endpoint, "fill-small", count);
        await member.stop();
        const started = performance.now();
        member.start();
        await member.ready(300);
        return performance.now() - started;
      })
    : undefined;
  const what = `opening a store of ${count.toLocaleString("en")} keys`;
  rows.push({ what, unit: "ms", LMDB: lmdb, ...(etcd === undefined ? {} : { etcd }), goal: "under 500 ms" });
}

function row(
  what: string,
  unit: string,
  figure: string,
  found: Partial<Record<StoreName, Figures>>,
  goal?: string,
): Row {
  const figures = Object.fromEntries(Object.entries(found).map(([store, all]) => [store, all[figure]]));
  return { what, unit, ...figures, ...(goal === undefined ? {} : { goal }) };
}

function print(): void {
  console.log(
    `node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} processors, load ${loads.join(" → ")}`,
  );
  console.log(`median of ${rounds}, the stores in turns\n`);
  const header = ["", "unit", "memory", "LMDB", "etcd", "LMDB : etcd", "goal"];
  const lines = rows.map(({ what, unit, memory, LMDB, etcd, goal }) => [
    what,
    unit,
    shown(memory),
    shown(LMDB),
    shown(etcd),
    LMDB === undefined || etcd === undefined ? "" : `${(LMDB / etcd).toPrecision(2)}×`,
    goal ?? "",
  ]);
  const widths = header.map((_, i) => Math.max(...[header, ...lines].map((line) => line[i]!.length)));
  for (const line of [header, ...lines]) {
    console.log(line.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "));
  }
}

function shown(figure: number | undefined): string {
  if (figure === undefined) return "";
  return figure >= 100 ? Math.round(figure).toLocaleString("en") : figure.toPrecision(2);
}
