// npm run bench -- hostile [--part Kubernetes|cel-go|readers|requests] [--only regex] [--form interpreted] [--milliseconds 200] [--seed 1]
// [--top 40] [--no-save] The worst that hostile clients can do: for every function and operator, the most time for a unit of cost that a
// search over its arguments finds; for every reader and for every kind of request to the API server, the most time for a kilobyte. The
// figures of the last whole campaign are kept.

import { parseArgs } from "node:util";
import { createEnv, type Env, type Mode } from "@celadon/cel";
import * as lib from "@celadon/cel/lib";
import { kubeEnv } from "@celadon/kube-cel";
import { callsOf } from "./hostile/calls.ts";
import { worstInputs } from "./hostile/inputs.ts";
import type { WorstInput } from "./hostile/mutate.ts";
import { worstRequests } from "./hostile/requests.ts";
import { type Worst, worstOf } from "./hostile/search.ts";
import { keep } from "./keep.ts";

/** Microseconds for a unit of cost that no call should take: a whole budget of a million then takes twenty seconds at most. */
const GOAL = 20;
/** Milliseconds without a reading of the clock that are always shown. */
const NOTABLE = 30;

const { values: options } = parseArgs({
  options: {
    part: { type: "string", default: "" },
    only: { type: "string", default: "" },
    form: { type: "string", default: "compiled" },
    /** CPU time for each call; ten times that for each reader. */
    milliseconds: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    top: { type: "string", default: "40" },
    "no-save": { type: "boolean", default: false },
  },
});
const only = new RegExp(options.only);
const milliseconds = Number(options.milliseconds);

const plain = createEnv({
  libraries: [
    lib.optionalLibrary(),
    lib.bindingsLibrary(),
    lib.twoVariableLibrary,
    lib.encodersLibrary,
    lib.listsLibrary(),
    lib.mathLibrary(),
    lib.setsLibrary,
    lib.stringsLibrary(),
    lib.regexLibrary,
    lib.networkLibrary,
  ],
}) as Env;

const isAsked = (part: string): boolean => options.part === "" || options.part === part;
const kubernetes = isAsked("Kubernetes") ? searchCalls("Kubernetes", kubeEnv() as Env) : [];
const celGo = isAsked("cel-go") ? searchCalls("cel-go", plain) : [];
const seed = Number(options.seed);
const inputs = [
  ...(isAsked("readers") ? await worstInputs(milliseconds * 10, seed, only) : []),
  ...(isAsked("requests") ? await worstRequests(milliseconds * 10, seed, only) : []),
];
showInputs(inputs);
const failed = inputs.some(({ thrown }) => thrown.length > 0);
const isWhole = !options["no-save"] && options.only === "" && options.form === "compiled";
if (isWhole && options.part === "") save();
if (isWhole && options.part === "requests")
  keep("hostile-requests", { milliseconds: milliseconds * 10, seed, inputs: shownInputs() });
process.exitCode = failed ? 1 : 0;

function searchCalls(name: string, env: Env): Worst[] {
  const calls = callsOf(env).filter((call) => only.test(call.name));
  const rows: Worst[] = [];
  for (const [i, call] of calls.entries()) {
    progress(`${name}: ${i} of ${calls.length} calls`, i % 50 === 0);
    const worst = worstOf(call, env, milliseconds, options.form as Mode);
    if (worst !== undefined) rows.push(worst);
  }
  progress("", false);
  rows.sort((a, b) => b.perUnit - a.perUnit);
  const above = rows.filter(({ perUnit }) => perUnit > GOAL).length;
  const latency = Math.max(...rows.map((row) => row.latency));
  console.log(
    `\n${name}: ${rows.length} calls, ${above} above ${GOAL} µs for a unit; a deadline overrun by ${latency.toFixed(0)} ms at most\n`,
  );
  console.log(
    "| µs/unit | evaluation | cost | call | arguments | longest without a look |\n| ---: | ---: | ---: | --- | --- | ---: |",
  );
  const shown = rows.filter(({ latency }, i) => i < Number(options.top) || latency > NOTABLE);
  for (const row of shown) {
    const late = `${row.latency.toFixed(0)} ms`;
    const time = `${(row.microseconds / 1000).toFixed(2)} ms${row.interrupted ? ", interrupted" : ""}`;
    console.log(
      `| ${row.perUnit.toFixed(2)} | ${time} | ${row.cost} | \`${row.expr}\` ${row.call} | ${row.args} | ${late} |`,
    );
  }
  return rows;
}

/** One line that is written over on a terminal; elsewhere now and then a line of its own. */
function progress(text: string, isMilestone: boolean): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${text}\u001b[K`);
  else if (isMilestone) process.stderr.write(`${text}\n`);
}

function showInputs(rows: readonly WorstInput[]): void {
  if (rows.length === 0) return;
  console.log("\n| reader | inputs | µs/kB | worst | length |\n| --- | ---: | ---: | ---: | ---: |");
  for (const { reader, inputs: count, perKilobyte, microseconds, bytes, thrown } of rows) {
    console.log(
      `| ${reader} | ${count} | ${perKilobyte.toFixed(0)} | ${(microseconds / 1000).toFixed(1)} ms | ${bytes} |`,
    );
    for (const failure of thrown) console.log(`  THROWN ${failure}`);
  }
}

function save(): void {
  const shown = (rows: readonly Worst[]) =>
    rows.slice(0, 60).map(({ latency, perUnit, microseconds, ...row }) => ({
      ...row,
      perUnit: Number(perUnit.toFixed(3)),
      microseconds: Math.round(microseconds),
      latencyMs: Math.round(latency),
    }));
  keep("hostile", {
    milliseconds,
    goal: GOAL,
    calls: { Kubernetes: kubernetes.length, "cel-go": celGo.length },
    above: [...kubernetes, ...celGo].filter(({ perUnit }) => perUnit > GOAL).length,
    latencyMs: Math.round(Math.max(...[...kubernetes, ...celGo].map(({ latency }) => latency))),
    worst: { Kubernetes: shown(kubernetes), "cel-go": shown(celGo) },
    inputs: shownInputs(),
  });
}

function shownInputs(): readonly WorstInput[] {
  return inputs.map(({ perKilobyte, ...row }) => ({ ...row, perKilobyte: Math.round(perKilobyte) }));
}
