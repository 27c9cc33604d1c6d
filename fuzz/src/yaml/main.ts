// npm run differential -- yaml [--count 100000] [--seed n] [--corpus folders] [--out file] [--keep file]
// CELADON_YAML_REFERENCE is the path of a program that reads YAML as kubectl and the API server do; without it nothing is compared.

import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addFigures, type Figures } from "../differential/kept-figures.ts";
import { type Difference, runCampaign } from "./campaign.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    seed: { type: "string" },
    corpus: { type: "string", default: "../shared/corpus,../shared/trials,examples,conformance/scenarios" },
    out: { type: "string" },
    keep: { type: "string" },
  },
});

/** Longer documents say no more, and take longer. */
const LONGEST = 4000;

const program = process.env.CELADON_YAML_REFERENCE;
if (program === undefined || !existsSync(program)) {
  console.log("yaml: skipped: CELADON_YAML_REFERENCE names no program that answers for the reference readers");
} else {
  await run(program);
}

async function run(reference: string): Promise<void> {
  const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
  const count = Number(values.count);
  const real = values.corpus.split(",").flatMap(realDocuments);
  console.log(`yaml: seed ${seed}, ${count} texts, ${real.length} real documents`);
  const tally = await runCampaign({
    program: reference,
    count,
    seed,
    real,
    found: show,
    progress: (cases) => {
      if (cases % 100_000 === 0) console.log(`yaml: ${cases} compared`);
    },
  });
  console.log(JSON.stringify(tally, undefined, 2));
  if (values.keep !== undefined) {
    const part: Figures = {
      date: new Date().toISOString().slice(0, 10),
      node: process.version,
      seeds: [seed],
      ...tally,
    };
    const before = existsSync(values.keep) ? (JSON.parse(readFileSync(values.keep, "utf8")) as Figures) : undefined;
    writeFileSync(values.keep, `${JSON.stringify(addFigures(before, part), undefined, 2)}\n`);
  }
  process.exitCode = tally.unlisted > 0 ? 1 : 0;
}

function realDocuments(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort();
  return files.flatMap((name) => {
    const documents = readFileSync(join(folder, name), "utf8").split(/^(?=---)/m);
    return documents.filter((text) => text.length > 0 && text.length <= LONGEST);
  });
}

function show(difference: Difference): void {
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(difference)}\n`);
  const { case: given, reference, ours } = difference;
  console.log(`\n${given.kind} ${given.mode}: ${JSON.stringify(given.text).slice(0, 400)}`);
  console.log(
    `  reference ${JSON.stringify(reference).slice(0, 300)}\n  ours      ${JSON.stringify(ours).slice(0, 300)}`,
  );
}
