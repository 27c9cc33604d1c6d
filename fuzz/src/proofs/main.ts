// npm run fuzz -- proofs [--seconds 60] [--seed n] [--pairs 500] [--keep FILE]
// Attacks proofs for some seconds, then compares pairs of real policies; the figures of a run are kept in a file.

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { attackExpressions, comparePairs } from "./campaign.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    pairs: { type: "string", default: "100" },
    keep: { type: "string" },
  },
});
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed);
const end = Date.now() + Number(values.seconds) * 1000;
console.log(`proofs: seed ${seed}, ${values.seconds} s of expressions, ${values.pairs} pairs`);

const show = (value: unknown): string =>
  JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}` : item), 2);

const { wrong: wrongProofs, ...expressions } = await attackExpressions({
  seed,
  limits: { paths: 2000, time: 300 },
  objects: 2000,
  goOn: () => Date.now() < end,
});
console.log(`proofs: ${show(expressions)}`);
const { wrong: wrongPairs, ...pairs } = await comparePairs({
  seed,
  limits: { paths: 20_000, time: 3000 },
  pairs: Number(values.pairs),
  requests: 100,
});
console.log(`proofs: ${show(pairs)}`);
const undecided = pairs.relations.unknown ?? 0;
if (pairs.pairs > 0) console.log(`proofs: ${(100 * (1 - undecided / pairs.pairs)).toFixed(1)}% of the pairs decided`);
for (const wrong of [...wrongProofs, ...wrongPairs]) console.log(`\nwrong: ${show(wrong)}`);
if (values.keep !== undefined) {
  const figures = { node: process.version, date: new Date().toISOString().slice(0, 10), seed, expressions, pairs };
  writeFileSync(values.keep, `${show({ ...figures, wrong: wrongProofs.length + wrongPairs.length })}\n`);
}
process.exitCode = wrongProofs.length + wrongPairs.length > 0 ? 1 : 0;
