// npm run bench -- [--cases regex] [--adapter path]… [--only name,…] [--quick] [--no-save]
// Every engine and case in processes of their own, rounds interleaved so that a slow minute of the machine hits all alike.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ADAPTERS, loadAdapter } from "./adapter.ts";
import { cases } from "./cases.ts";
import type { Answers, Task } from "./child/child.ts";
import { keep } from "./keep.ts";
import { FULL, median, QUICK, spread } from "./measure.ts";
import {
  BASE,
  type CaseResult,
  type EngineResult,
  printCases,
  printReasons,
  printStages,
  type Result,
} from "./table.ts";

const { values: options } = parseArgs({
  options: {
    cases: { type: "string", default: "" },
    adapter: { type: "string", multiple: true, default: [] },
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    "no-save": { type: "boolean", default: false },
  },
});
const effort = options.quick ? QUICK : FULL;
const chosen = cases.filter((row) => new RegExp(options.cases).test(row.name));
const paths = [...ADAPTERS, ...options.adapter.map((path) => resolve(process.env.INIT_CWD ?? ".", path))];
const engines = await findEngines(paths, options.only?.split(","));

console.log(
  `${chosen.length} cases, ${engines.length} engines, ${effort.processes} processes each, node ${process.version}`,
);
const result: Result = {
  effort,
  engines: engines.map(({ name }) => name),
  cases: await measureCases(),
  stages: await measureStages(),
};
printCases(result);
printStages(result);
printReasons(result);
if (!options["no-save"] && options.cases === "" && options.only === undefined) save(result);

interface Engine {
  readonly name: string;
  readonly path: string;
}

async function findEngines(paths: readonly string[], only: readonly string[] | undefined): Promise<Engine[]> {
  const found: Engine[] = [];
  for (const path of paths) {
    try {
      const { name } = await loadAdapter(path);
      if (only === undefined || only.includes(name) || name === BASE) found.push({ name, path });
    } catch (error) {
      console.log(`left out: ${path}: ${error instanceof Error ? error.message.split("\n")[0] : error}`);
    }
  }
  return found;
}

async function measureCases(): Promise<Record<string, Record<string, CaseResult>>> {
  const samples = new Map<string, number[]>();
  const unable = new Map<string, string>();
  for (let round = 1; round <= effort.processes; round++) {
    for (const [i, row] of chosen.entries()) {
      progress(`round ${round}/${effort.processes}, case ${i + 1}/${chosen.length}: ${row.name}`);
      for (const { name, path } of engines) {
        const key = `${row.name} ${name}`;
        if (unable.has(key)) continue;
        const answer = await ask({ kind: "evaluate", adapter: path, case: row.name, effort });
        if ("unable" in answer) unable.set(key, answer.unable);
        else samples.set(key, [...(samples.get(key) ?? []), ...answer.nanos]);
      }
    }
  }
  progress("");
  const outcome = (key: string): CaseResult => {
    const nanos = samples.get(key);
    if (nanos === undefined || unable.has(key)) return { unable: unable.get(key) ?? "not measured" };
    return { nanos: median(nanos), spread: spread(nanos) };
  };
  return Object.fromEntries(
    chosen.map((row) => [
      row.name,
      Object.fromEntries(engines.map(({ name }) => [name, outcome(`${row.name} ${name}`)])),
    ]),
  );
}

async function measureStages(): Promise<Record<string, EngineResult>> {
  const measured: Record<string, EngineResult> = {};
  const names = [...new Map(chosen.map((row) => [row.expr, row.name])).values()];
  for (const { name, path } of engines) {
    progress(`stages: ${name}`);
    const parts: Exclude<Answers["stages"], { unable: string }>[] = [];
    const colds: Exclude<Answers["cold"], { unable: string }>[] = [];
    let reason: string | undefined;
    for (let round = 0; round < effort.processes; round++) {
      const answer = await ask({ kind: "stages", adapter: path, cases: names, effort });
      if ("unable" in answer) reason = answer.unable;
      else parts.push(answer);
    }
    for (let round = 0; round < effort.processes * 3; round++) {
      const answer = await ask({ kind: "cold", adapter: path, case: names[0]! });
      if ("unable" in answer) reason = answer.unable;
      else colds.push(answer);
    }
    if (reason !== undefined || parts.length === 0) {
      measured[name] = { unable: reason ?? "not measured" };
      continue;
    }
    const stage = (of: "parse" | "check" | "plan"): number | null => {
      const nanos = parts.flatMap((part) => part[of] ?? []);
      return nanos.length === 0 ? null : median(nanos);
    };
    measured[name] = {
      parse: stage("parse"),
      check: stage("check"),
      plan: stage("plan"),
      coldCpu: median(colds.map(({ cpu }) => cpu)),
      coldWall: median(colds.map(({ wall }) => wall)),
    };
  }
  progress("");
  return measured;
}

async function ask<T extends Task>(task: T): Promise<Answers[T["kind"]]> {
  const child = fileURLToPath(new URL("child/child.js", import.meta.url));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [child, JSON.stringify(task)], { timeout: 120_000 });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  } catch (error) {
    return { unable: `process failed: ${error instanceof Error ? error.message.split("\n")[0] : error}` };
  }
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

function save(result: Result): void {
  const manifest = new URL("../../packages/cel/package.json", import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  keep(version, result);
}
