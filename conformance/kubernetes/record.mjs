// Adds what runs of run.sh found to results.json: the last outcome of every test, with the server's own controllers and with the real ones.
//
//   node conformance/kubernetes/record.mjs own|real OUT…

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [mode, ...folders] = process.argv.slice(2);
if ((mode !== "own" && mode !== "real") || folders.length === 0) {
  console.error("usage: record.mjs own|real OUT…");
  process.exit(2);
}
const file = fileURLToPath(new URL("results.json", import.meta.url));
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { own: {}, real: {} };

for (const folder of folders) {
  const lines = readFileSync(join(folder, "out.txt"), "utf8").split("\n");
  for (const [i, line] of lines.entries()) {
    const [, outcome, name] = /^(PASS|FAIL)\s+[\d.]+s\s+(.+)$/.exec(line) ?? [];
    if (name === undefined) continue;
    results[mode][name] = outcome === "PASS" ? "passed" : (lines[i + 1] ?? "").trim().slice(0, 200);
  }
}

const sorted = (tests) => Object.fromEntries(Object.entries(tests).sort(([a], [b]) => (a < b ? -1 : 1)));
const counts = (tests) => {
  const outcomes = Object.values(tests);
  const passed = outcomes.filter((outcome) => outcome === "passed").length;
  return { passed, failed: outcomes.length - passed };
};
const figures = { own: counts(results.own), real: counts(results.real) };
writeFileSync(file, `${JSON.stringify({ figures, own: sorted(results.own), real: sorted(results.real) }, null, 2)}\n`);
for (const [name, { passed, failed }] of Object.entries(figures))
  console.log(`${name}: ${passed} passed, ${failed} failed`);
