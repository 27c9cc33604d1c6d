// npm run bench -- command [--quick] [--only PART…]: the command from start to exit. Every row is measured beside its yardstick, in turns,
// so that other work of the machine strikes both; the median counts. Figures of whole runs are kept in results/command.json.

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeDump, writeManifests, writeStream } from "./input/command-manifests.ts";
import { keep, load } from "./keep.ts";
import { median } from "./measure.ts";

const PARTS = { start: startUp, manifests: manyManifests, memory, streams, diff: diffOfDump };

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", multiple: true } },
});
for (const part of values.only ?? []) {
  if (!Object.hasOwn(PARTS, part)) throw new Error(`no part "${part}"; parts: ${Object.keys(PARTS).join(", ")}`);
}

const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const celadon = beside("../../apps/cli/bin/celadon.mjs");
const reader = beside("child/command-read.js");
const folder = mkdtempSync(join(tmpdir(), "celadon-bench-"));

interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: "ms" | "MB";
  /** Times the row it is compared with. */
  readonly ratio?: number;
}

const rows: Row[] = [];
const before = load();

console.log(`node ${process.version}; wall time from start to exit, median\n`);
try {
  for (const [part, measure] of Object.entries(PARTS)) if (values.only?.includes(part) ?? true) measure();
  if (!values.quick && values.only === undefined) keep("command", { load: [before, load()], rows });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function startUp(): void {
  const rounds = values.quick ? 10 : 20;
  const [bare, version, help] = inTurns(rounds, [
    ["-e", "0"],
    [celadon, "--version"],
    [celadon, "help"],
  ]);
  row("node -e 0", bare!);
  row("celadon --version", version!, bare!, 1.5);
  row("celadon help", help!, bare!);
}

function manyManifests(): void {
  const amount = { objects: 1000, policies: 50 };
  const path = join(folder, "thousand");
  writeManifests(path, amount);
  const check = [celadon, "check", "-f", path, "-o", "json"];
  expectDenials(check, 1000 / 50);
  const programs = [[reader, path], [reader, path, "--yaml"], check];
  const [reading, library, checking] = inTurns(values.quick ? 3 : 7, programs, [0, 1]);
  console.log("");
  row("1,000 manifests, 50 policies: with the yaml package", library!);
  row("read and parse with our reader", reading!);
  row("celadon check -o json, against the yaml package", checking!, library!, 2);
  row("celadon check -o json", checking!, reading!, 2);
}

function memory(): void {
  const path = join(folder, "many");
  writeManifests(path, { objects: values.quick ? 2000 : 10_000, policies: 50 });
  const count = values.quick ? "2,000" : "10,000";
  console.log("");
  megabytes(`${count} manifests: read and parse, peak memory`, peakMemory([reader, path]));
  megabytes("celadon check -o json, peak memory", peakMemory([celadon, "check", "-f", path, "-o", "json"]));
}

/** Streams of many small objects, most of which may not stay in memory. */
function streams(): void {
  const size = values.quick ? 10 : 100;
  for (const shape of ["1 kB", "120 bytes"] as const) {
    const path = join(folder, "stream");
    writeStream(path, shape, size * 1_000_000);
    const stream = join(path, "stream.yaml");
    const policy = join(path, "policy.yaml");
    console.log("");
    for (const format of ["text", "json"]) {
      const title = `${size} MB of objects of ${shape}: celadon check -o ${format}`;
      const check = (input: string): string[] => [celadon, "check", "-f", policy, "-f", input, "-o", format];
      // The reading of a stream does not depend on the report; a million tiny objects take a minute.
      if (shape === "1 kB" || format === "text") megabytes(`${title}, peak memory`, peakMemory(check(stream)), 500);
      if (shape === "1 kB" || format === "json")
        megabytes(`${title}, from standard input, peak memory`, peakMemory(check("-"), stream), 500);
    }
  }
}

/** A roll-out over a cluster: some of the policies change, or all of them do. */
function diffOfDump(): void {
  const objects = values.quick ? 2000 : 20_000;
  const path = join(folder, "dump");
  const dump = join(path, "dump.yaml");
  for (const [changed, everyNth] of [
    [5, 10],
    [50, 1],
  ] as const) {
    writeDump(path, { objects, policies: 50 }, everyNth);
    const diff = [celadon, "diff", join(path, "old"), join(path, "new"), "-f", dump, "-o", "json"];
    expectChanges(diff, objects / 50);
    const [reading, comparing] = inTurns(3, [[reader, dump], diff], [0, 1]);
    console.log("");
    row(`dump of ${objects} objects: read and parse`, reading!);
    row(`celadon diff -o json, ${changed} of 50 policies changed`, comparing!, reading!, 3);
    megabytes("celadon diff -o json, peak memory", peakMemory(diff), 1024);
  }
}

/** The output is discarded: it may be longer than a string can be. */
function peakMemory(argv: readonly string[], stdin?: string): number {
  const report = join(folder, "peak");
  const input = stdin === undefined ? "ignore" : openSync(stdin, "r");
  const env = { ...process.env, PEAK_MEMORY_FILE: report };
  const line = ["--import", beside("child/peak-memory.js"), ...argv];
  const { status } = spawnSync(process.execPath, line, { env, stdio: [input, "ignore", "inherit"] });
  if (typeof input === "number") closeSync(input);
  if (status !== 0 && status !== 1) throw new Error(`${argv.join(" ")} ended with ${status}`);
  return Number(readFileSync(report, "utf8")) / 1024;
}

function megabytes(title: string, value: number, goal?: number): void {
  rows.push({ what: title, value: Math.round(value), unit: "MB" });
  const within = goal === undefined ? "" : ` (goal: under ${goal} MB${value < goal ? "" : ", missed"})`;
  console.log(`${title.padEnd(46)} ${value.toFixed(0).padStart(8)} MB${within}`);
}

/** A wrong answer is not a fast answer. */
function expectDenials(argv: readonly string[], want: number): void {
  const { stdout } = spawn(argv, [1]);
  const denied = stdout.split('"allowed": false').length - 1;
  if (denied !== want) throw new Error(`${denied} objects denied, not ${want}`);
}

function expectChanges(argv: readonly string[], want: number): void {
  const { stdout } = spawn(argv, [1]);
  const changes = stdout.split('"change": "allowed"').length - 1;
  if (changes !== want) throw new Error(`${changes} objects newly allowed, not ${want}`);
}

/** Milliseconds of each, one after the other, so many times; the median of each. */
function inTurns(rounds: number, lines: readonly (readonly string[])[], codes: readonly number[] = [0]): number[] {
  const times = lines.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [i, line] of lines.entries()) {
      const start = performance.now();
      spawn(line, codes);
      if (round > 0) times[i]!.push(performance.now() - start); // the first round fills the caches of the disk
    }
  }
  return times.map(median);
}

function spawn(argv: readonly string[], codes: readonly number[]): { stdout: string } {
  const options = { encoding: "utf8", maxBuffer: 2 ** 30 } as const;
  const { status, stdout, stderr, error } = spawnSync(process.execPath, argv, options);
  if (error !== undefined) throw error;
  if (!codes.includes(status ?? -1))
    throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr.slice(0, 1000)}`);
  return { stdout };
}

function row(title: string, ms: number, base?: number, goal?: number): void {
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  rows.push({ what: title, value: rounded(ms), unit: "ms", ...(base !== undefined && { ratio: rounded(ms / base) }) });
  const ratio = base === undefined ? "" : `  ${(ms / base).toFixed(2)}×`;
  const within =
    base === undefined || goal === undefined ? "" : ` (goal: within ${goal}×${ms / base <= goal ? "" : ", missed"})`;
  console.log(`${title.padEnd(46)} ${ms.toFixed(1).padStart(8)} ms${ratio}${within}`);
}
