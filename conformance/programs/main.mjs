// npm run programs -- [program ...] [--real DIR] [--work DIR]
// Runs tests that others wrote, of their own programs, on Celadon, and on Kubernetes' own programs where a directory has them.

import { mkdirSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writePage } from "./page.mjs";
import { Skipped } from "./processes.mjs";
import { programs } from "./programs.mjs";
import { keepResult } from "./results.mjs";
import { here, there } from "./side.mjs";

const HELP = `usage: npm run programs -- [program ...] [flags]

Runs the programs named, or all: what is not installed and cannot be downloaded is skipped with the reason. Outcomes are kept in
conformance/programs/results, and docs/reference/programs.md shows them.

programs: ${programs.map(({ name }) => name).join(", ")}

flags:
  --real DIR   a directory with kube-apiserver, etcd and kubectl (and kube-controller-manager) to run the same beside
  --only-real  leave Celadon out
  --prepare    download and compile only
  --work DIR   where modules, compiled tests and logs are kept (default: celadon-programs in the directory of temporary files)
  --dry-run    keep no outcomes
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    real: { type: "string" },
    "only-real": { type: "boolean" },
    prepare: { type: "boolean" },
    work: { type: "string" },
    "dry-run": { type: "boolean" },
    help: { type: "boolean" },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const unknown = positionals.find((name) => !programs.some((program) => program.name === name));
if (unknown !== undefined) {
  console.error(`programs: no program "${unknown}"; there are ${programs.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(130));

const work = resolve(values.work ?? join(tmpdir(), "celadon-programs"));
mkdirSync(work, { recursive: true });
// Answers of Kubernetes are recorded before others are compared with them.
const sides = [
  ...(values.real === undefined ? [] : [there(resolve(values.real), work)]),
  ...(values["only-real"] ? [] : [here(work)]),
];
let failed = 0;
for (const program of programs) {
  if (positionals.length > 0 && !positionals.includes(program.name)) continue;
  try {
    await tryProgram(program);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    say(`${program.name}: skipped: ${error.message}`);
  }
}
if (!values["dry-run"] && !values.prepare) writePage();
process.exitCode = failed > 0 ? 1 : 0;

async function tryProgram(program) {
  say(`${program.name} ${program.version}: getting it ready`);
  const runOn = await program.prepare(work, sides);
  if (values.prepare) return;
  for (const side of sides) {
    const load = loadavg()[0];
    const result = await runOn(side);
    const { tests, seconds, memoryMiB, cpuSeconds } = result;
    const of = (end) => [...tests].filter(([, outcome]) => outcome === end).map(([name]) => name);
    const [passed, refused, skipped] = [of("passed"), of("failed"), of("skipped")];
    say(
      `${program.name} ${side.name}: ${passed.length} passed, ${refused.length} failed, ${skipped.length} skipped; ` +
        `${seconds.toFixed(1)} s, ${memoryMiB.toFixed(0)} MiB, ${cpuSeconds.toFixed(1)} s of processor time`,
    );
    for (const name of refused) say(`  failed: ${name}`);
    if (side.name === "here") failed += refused.length;
    if (values["dry-run"]) continue;
    keepResult(program, side.name, {
      date: new Date().toISOString().slice(0, 10),
      passed: passed.length,
      skipped: skipped.length,
      failed: refused.sort(),
      seconds: round(seconds),
      memoryMiB: Math.round(memoryMiB),
      cpuSeconds: round(cpuSeconds),
      load: round(load),
    });
  }
}

function round(value) {
  return Math.round(value * 10) / 10;
}

function say(line) {
  console.log(`programs: ${line}`);
}
