// One measurement in a process of its own, so that no engine's code, heap or type feedback touches another's.
// Usage: node child.js '{"kind":"evaluate","adapter":"…","case":"…","effort":{…}}'; answers one line of JSON.

import { performance } from "node:perf_hooks";
import { type Adapter, loadAdapter } from "../adapter.ts";
import { verified } from "../answers.ts";
import { type Case, cases } from "../cases.ts";
import { type Effort, nanosPerCall } from "../measure.ts";

export type Task =
  | { kind: "evaluate"; adapter: string; case: string; effort: Effort }
  | { kind: "stages"; adapter: string; cases: string[]; effort: Effort }
  | { kind: "cold"; adapter: string; case: string };

export interface Answers {
  evaluate: { nanos: number[] } | { unable: string };
  /** Nanoseconds per expression, cumulative; null where the engine has no such stage. */
  stages: { parse: number[] | null; check: number[] | null; plan: number[] | null } | { unable: string };
  /** Milliseconds from before the engine is loaded until the first answer, and of the whole process so far. */
  cold: { cpu: number; wall: number; process: number } | { unable: string };
}

async function answer(task: Task): Promise<Answers[Task["kind"]]> {
  switch (task.kind) {
    case "evaluate":
      return evaluate(await loadAdapter(task.adapter), find(task.case), task.effort);
    case "stages":
      return stages(await loadAdapter(task.adapter), task.cases.map(find), task.effort);
    case "cold":
      return cold(task.adapter, find(task.case));
  }
}

function evaluate(adapter: Adapter, row: Case, effort: Effort): Answers["evaluate"] {
  const run = verified(adapter, row);
  const { docs } = row;
  const rounds = (n: number): unknown => {
    let last: unknown;
    for (let i = 0; i < n; i++) {
      for (let at = 0; at < docs.length; at++) last = run(docs[at]!);
    }
    return last;
  };
  return { nanos: nanosPerCall(rounds, docs.length, effort) };
}

function stages({ stages: { parse, check, plan } }: Adapter, rows: readonly Case[], effort: Effort): Answers["stages"] {
  if (parse === null) return { parse: null, check: null, plan: null };
  const sources = rows.map((row) => row.expr);
  const time = (work: (source: string) => unknown): number[] => {
    const rounds = (n: number): unknown => {
      let last: unknown;
      for (let i = 0; i < n; i++) {
        for (const source of sources) last = work(source);
      }
      return last;
    };
    return nanosPerCall(rounds, sources.length, effort);
  };
  // A stage the engine lacks costs nothing; the next one then takes the result of the one before.
  const checked = check === null ? parse : (source: string): unknown => check(parse(source));
  const planned = plan === null ? checked : (source: string): unknown => plan(checked(source));
  // Parsers take long to warm up, and each stage runs the earlier ones: warm the whole first, then take turns.
  for (let i = 0; i < 4; i++) time(planned);
  const measured: { parse: number[]; check: number[]; plan: number[] } = { parse: [], check: [], plan: [] };
  for (let i = 0; i < 2; i++) {
    measured.parse.push(...time(parse));
    if (check !== null) measured.check.push(...time(checked));
    if (plan !== null) measured.plan.push(...time(planned));
  }
  return {
    parse: measured.parse,
    check: check === null ? null : measured.check,
    plan: plan === null ? null : measured.plan,
  };
}

async function cold(path: string, row: Case): Promise<Answers["cold"]> {
  const started = performance.now();
  const before = process.cpuUsage();
  const adapter = await loadAdapter(path);
  adapter.compile(row.expr)(row.docs[0]!);
  const { user, system } = process.cpuUsage(before);
  const whole = process.cpuUsage();
  return {
    cpu: (user + system) / 1000,
    wall: performance.now() - started,
    process: (whole.user + whole.system) / 1000,
  };
}

function find(name: string): Case {
  const found = cases.find((row) => row.name === name);
  if (found === undefined) throw new Error(`no case '${name}'`);
  return found;
}

let result: unknown;
try {
  result = await answer(JSON.parse(process.argv[2] ?? ""));
} catch (error) {
  result = { unable: error instanceof Error ? error.message : String(error) };
}
console.log(JSON.stringify(result));
