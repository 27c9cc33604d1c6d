// npm run differential -- [--minor 1.33] [--count 100000] [--seed n] [--corpus folder] [--out file] [--keep file]
// CELADON_REFERENCE is the path of a program that answers for the reference implementation; without it nothing is compared.

import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { requireMinor } from "@celadon/kube/versions";
import { type Difference, runDifferential } from "./campaign.ts";
import { addFigures, type Figures } from "./kept-figures.ts";
import { readRealExpressions } from "./real-expressions.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string" },
    minor: { type: "string" },
    corpus: { type: "string", default: process.env.CELADON_CORPUS ?? "../shared/corpus" },
    out: { type: "string" },
    keep: { type: "string" },
  },
});

const program = process.env.CELADON_REFERENCE;
if (program === undefined || !existsSync(program)) {
  console.log(
    "differential: skipped: CELADON_REFERENCE names no program that answers for the reference implementation",
  );
} else {
  await run(program);
}

async function run(reference: string): Promise<void> {
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  const count = Number(values.count);
  const real = readRealExpressions(values.corpus);
  if (real === undefined) console.log(`differential: no collected expressions in ${values.corpus}; random ones only`);
  console.log(`differential: seed ${seed}, ${count} expressions`);
  const tally = await runDifferential({
    program: reference,
    ...(values.minor !== undefined && { minor: requireMinor(values.minor) }),
    count,
    seed,
    real: real ?? [],
    found: show,
    progress: ({ cases, unlisted }) => {
      if (cases % 20_000 === 0) console.log(`differential: ${cases} compared, ${unlisted} differ`);
    },
  });
  console.log(JSON.stringify(tally, undefined, 2));
  if (values.keep !== undefined) {
    const part = { date: new Date().toISOString().slice(0, 10), node: process.version, seeds: [seed], ...tally };
    keep(values.keep, part);
  }
  process.exitCode = tally.unlisted > 0 ? 1 : 0;
}

function keep(file: string, part: Figures): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : undefined;
  writeFileSync(file, `${JSON.stringify(addFigures(before, part), undefined, 2)}\n`);
}

function show(difference: Difference): void {
  const { case: given, reference, interpreted, compiled } = difference;
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(difference)}\n`);
  console.log(`\n${given.kind}: ${given.expr}\n  reference   ${brief(reference)}\n  interpreted ${brief(interpreted)}`);
  if (JSON.stringify(interpreted) !== JSON.stringify(compiled)) console.log(`  compiled    ${brief(compiled)}`);
}

function brief(answer: object): string {
  return JSON.stringify(answer).slice(0, 500);
}
