// Records the answers of another version of Kubernetes to the recorded vectors where they differ: node scripts/record-minor.mjs 1.37
// PROGRAM. The program reads {"id","expr","vars"} lines and writes outcomes, with `-mode new` for expressions being written and `-mode
// stored` for stored ones.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { readVectorLines, vectorAreas } from "../packages/kube-cel/src/vectors.testing.ts";

const [minor, program] = process.argv.slice(2);
if (minor === undefined || program === undefined) {
  process.stderr.write("usage: node scripts/record-minor.mjs 1.37 PROGRAM\n");
  process.exit(2);
}

const lines = vectorAreas().flatMap(readVectorLines);
const input = lines.map((line) => `${line}\n`).join("");

function outcomes(mode) {
  const { stdout, status, stderr } = spawnSync(program, ["-mode", mode], {
    input,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`${program} -mode ${mode} ended with ${status}: ${stderr.slice(-500)}`);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

// Maps are iterated in random order: an answer that does not come twice is none.
const stored = [outcomes("stored"), outcomes("stored")];
const written = [outcomes("new"), outcomes("new")];
const differing = [];
const unstable = [];
lines.forEach((line, i) => {
  const vector = JSON.parse(line);
  const answers = [stored[0][i], written[0][i]].map(outcomeOf);
  if (!isSame(answers[0], outcomeOf(stored[1][i])) || !isSame(answers[1], outcomeOf(written[1][i]))) {
    unstable.push(vector.id);
    return;
  }
  const row = { id: vector.id };
  if (!isSame(answers[0], outcomeOf(vector))) row.stored = answers[0];
  if (!isSame(answers[1], answers[0])) row.new = answers[1];
  if (row.stored !== undefined || row.new !== undefined) differing.push(row);
});

function outcomeOf({ panic, compileError, type, value, error, cost }) {
  if (panic !== undefined) return { panic };
  if (compileError !== undefined) return { compileError };
  return error === undefined ? { type, value, cost } : { type, error, cost };
}

function isSame(a, b) {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}

const directory = new URL("../packages/kube-cel/src/testdata/minors/", import.meta.url);
mkdirSync(directory, { recursive: true });
writeFileSync(new URL(`${minor}.jsonl`, directory), differing.map((row) => `${JSON.stringify(row)}\n`).join(""));
process.stdout.write(
  `${minor}: ${differing.length} of ${lines.length} differ, ${unstable.length} unstable: ${unstable}\n`,
);
