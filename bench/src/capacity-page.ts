// The figures of docs/reference/capacity.md. They stand between `<!-- figures: NAME -->` and `<!-- end -->` and come from the kept results;
// `bench -- apiserver` and `bench -- capacity` write them anew.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

type Figures = Readonly<Record<string, number>>;

/** The results about the API server in bench/results. */
export interface Results {
  readonly requests: readonly RequestRow[];
  /** By name of the part; each row is one size. */
  readonly capacity: Readonly<Record<string, readonly Figures[]>>;
  /** Load averages while these were measured. */
  readonly loads: readonly number[];
}

interface RequestRow {
  readonly what: string;
  readonly unit: string;
  readonly figures: Figures;
  readonly load?: number;
}

interface Column {
  readonly head: string;
  readonly of: (row: Figures) => string;
}

const PAGE = fileURLToPath(new URL("../../docs/reference/capacity.md", import.meta.url));
const SERVERS = ["LMDB", "memory", "kube-apiserver + etcd"];

// biome-ignore format: one column per line
const TABLES: Readonly<Record<string, readonly Column[]>> = {
  objects: [
    { head: "objects",                                    of: ({ objects }) => whole(objects) },
    { head: "memory",                                     of: ({ memoryMiB }) => mebibytes(memoryMiB) },
    { head: "most while all are listed in pages of 500",  of: ({ peakMemoryMiB }) => mebibytes(peakMemoryMiB) },
    { head: "a page",                                     of: ({ pageOf500Ms }) => milliseconds(pageOf500Ms) },
    { head: "disk",                                       of: ({ diskMB }) => (diskMB === undefined ? "" : `${whole(diskMB)} MB`) },
    { head: "ready again",                                of: ({ readyAgainMs }) => milliseconds(readyAgainMs) },
  ],
  policies: [
    { head: "policies",            of: ({ policies }) => whole(policies) },
    { head: "of which match",      of: ({ matching }) => whole(matching) },
    { head: "memory",              of: ({ memoryMiB }) => mebibytes(memoryMiB) },
    { head: "CPU of a dry run",    of: ({ cpuMsPerDryRun }) => milliseconds(cpuMsPerDryRun) },
  ],
  watchers: [
    { head: "watchers",            of: ({ watchers }) => whole(watchers) },
    { head: "memory",              of: ({ memoryMiB }) => mebibytes(memoryMiB) },
    { head: "for each watcher",    of: ({ kBPerWatcher }) => `${whole(kBPerWatcher)} kB` },
    { head: "CPU of a delivery",   of: ({ cpuMsPerDelivery }) => milliseconds(cpuMsPerDelivery) },
  ],
  replicas: [
    { head: "servers",             of: ({ servers }) => whole(servers) },
    { head: "creates a second",    of: ({ createsPerSecond }) => whole(createsPerSecond) },
    { head: "CPU of a create",     of: ({ cpuMsPerCreate }) => milliseconds(cpuMsPerCreate) },
    { head: "reads a second",      of: ({ readsPerSecond }) => whole(readsPerSecond) },
    { head: "CPU of a read",       of: ({ cpuMsPerRead }) => milliseconds(cpuMsPerRead) },
    { head: "memory of all",       of: ({ memoryMiB }) => mebibytes(memoryMiB) },
  ],
};

export function writeCapacityPage(): void {
  writeFileSync(PAGE, withFigures(readPage(), readResults()));
  console.log("written: docs/reference/capacity.md");
}

export function readPage(): string {
  return readFileSync(PAGE, "utf8");
}

/** The page with the figures of the results; missing figures are marked. */
export function withFigures(page: string, results: Results): string {
  return page.replace(
    /(<!-- figures: (\w+) -->\n).*?(<!-- end -->)/gs,
    (_, begin: string, name: string, end: string) => `${begin}\n${figuresOf(name, results)}\n\n${end}`,
  );
}

function figuresOf(name: string, { requests, capacity, loads }: Results): string {
  if (name === "load") return loadText(loads);
  if (name === "requests") return requestTable(requests);
  const columns = TABLES[name];
  if (columns === undefined) throw new Error(`no figures are called ${name}`);
  const rows = capacity[name] ?? [];
  if (rows.length === 0) return "Not measured yet: `npm run bench -- capacity` takes these figures.";
  const shown = columns.filter(({ of }) => rows.some((row) => of(row) !== ""));
  return table(
    shown.map(({ head }) => head),
    rows.map((row) => shown.map(({ of }) => of(row))),
    0,
  );
}

function requestTable(requests: readonly RequestRow[]): string {
  const rows = requests.filter(({ unit }) => unit === "ms of CPU");
  const cell = (figure: number | undefined): string =>
    figure === undefined ? "" : String(Number(figure.toPrecision(2)));
  return table(
    ["request", "`celadon up`", "in memory", "kube-apiserver + etcd"],
    rows.map(({ what, figures }) => [what.trim(), ...SERVERS.map((server) => cell(figures[server]))]),
    1,
  );
}

function loadText(loads: readonly number[]): string {
  if (loads.length === 0) return "Not measured yet.";
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map((load) => Math.round(load));
  return `The load of the machine was ${least === most ? least : `${least} to ${most}`} while they were taken.`;
}

/** Columns before `left` are texts, all others numbers. */
function table(heads: readonly string[], rows: readonly (readonly string[])[], left: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, i) => (i < left ? "---" : "---:"))), ...rows.map(line)].join("\n");
}

export function readResults(): Results {
  const { rows: requests = [] } = read<{ rows: readonly RequestRow[] }>("apiserver.json");
  const { load = [], ...parts } = read<{ load: readonly number[] }>("apiserver-capacity.json");
  const capacity = Object.fromEntries(Object.entries(parts).filter(([name]) => name in TABLES)) as Results["capacity"];
  return { requests, capacity, loads: [...load, ...requests.flatMap((row) => row.load ?? [])] };
}

function read<T>(name: string): Partial<T> {
  const path = fileURLToPath(new URL(`../results/${name}`, import.meta.url));
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : {};
}

function whole(figure: number | undefined): string {
  return figure === undefined ? "" : Math.round(figure).toLocaleString("en");
}

function mebibytes(figure: number | undefined): string {
  return figure === undefined ? "" : `${whole(figure)} MiB`;
}

function milliseconds(figure: number | undefined): string {
  if (figure === undefined) return "";
  return `${figure >= 10 ? whole(figure) : Number(figure.toPrecision(2))} ms`;
}
