// npm run catalogue -- [NAME…] [--fixtures DIR]: changes every policy of the catalogue in all ways that mutation testing knows, and keeps the
// number of changes its suite detects in apps/cli/testdata/catalogue.json, with a digest of the files. With --fixtures, the test data
// of k8s.io/pod-security-admission (test/testdata), it also compares the pod security policies with the newest standard there.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readCatalogue } from "../apps/cli/dist/catalogue/catalogue.js";
import { digestOf } from "../apps/cli/dist/catalogue/digest.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const directory = join(root, "apps/cli/catalogue");
const file = join(root, "apps/cli/testdata/catalogue.json");
const { values, positionals } = parseArgs({ options: { fixtures: { type: "string" } }, allowPositionals: true });

const catalogue = readCatalogue(directory);
const kept = JSON.parse(readFileSync(file, "utf8"));
const names = new Set(catalogue.map(({ name }) => name));
for (const name of Object.keys(kept.policies)) if (!names.has(name)) delete kept.policies[name];
let survived = 0;
for (const entry of catalogue) {
  const { name, category } = entry;
  const digest = digestOf(entry);
  if (positionals.length > 0 ? !positionals.includes(name) : kept.policies[name]?.digest === digest) continue;
  const args = ["test", "--mutate", "--mutate-time", "600", "--mutate-threads", "1", join(directory, category, name)];
  const { mutation } = celadon([...args, "-o", "json"]);
  survived += mutation.summary.survived + mutation.summary.notRun;
  for (const { outcome, mutator, line, original, mutated } of mutation.mutants) {
    if (outcome === "survived" || outcome === "not-run")
      console.log(`  ${outcome}: ${mutator} in line ${line}: ${original} → ${mutated}`);
  }
  const { killed, survived: missed } = mutation.summary;
  console.log(`${name}: ${killed} of ${killed + missed} changes detected`);
  kept.policies[name] = { changes: killed + missed, detected: killed, digest };
}
if (values.fixtures !== undefined) kept.podSecurity = comparedWithStandards(values.fixtures);
kept.policies = Object.fromEntries(Object.entries(kept.policies).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
const differences = values.fixtures === undefined ? 0 : kept.podSecurity.differences.length;
process.exitCode = survived + differences > 0 ? 1 : 0;

function celadon(args) {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, "apps/cli/bin/celadon.mjs"), ...args, "-q"], {
    encoding: "utf8",
    maxBuffer: 256 << 20,
  });
  if (stdout === "") throw new Error(`celadon ${args.join(" ")} printed nothing\n${stderr}`);
  return JSON.parse(stdout);
}

/** The verdicts of the policies on the pods of the standard's own tests. */
function comparedWithStandards(fixtures) {
  const versions = readdirSync(join(fixtures, "baseline")).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const version = versions.at(-1);
  const summary = { version, allowed: 0, denied: 0, differences: [] };
  for (const level of ["baseline", "restricted"]) {
    const levels = level === "baseline" ? ["baseline"] : ["baseline", "restricted"];
    const policies = catalogue.filter(({ category }) => levels.some((one) => category === `pod-security-${one}`));
    for (const expected of ["pass", "fail"]) {
      for (const { file: pod, denials } of checkedPods(join(fixtures, level, version, expected), policies)) {
        const isRight = expected === "pass" ? denials.length === 0 : denials.length > 0;
        if (!isRight)
          summary.differences.push(
            `${level}/${version}/${expected}/${basename(pod)}: ${denials.join("; ") || "allowed"}`,
          );
        else if (expected === "pass") summary.allowed++;
        else summary.denied++;
      }
    }
  }
  console.log(
    `pod security standards ${version}: ${summary.allowed} allowed, ${summary.denied} denied, ${summary.differences.length} differences`,
  );
  for (const line of summary.differences) console.log(`  ${line}`);
  return summary;
}

/** Some of the pods have names that no API server accepts; only denials by policies count. */
function checkedPods(directory, policies) {
  const scratch = mkdtempSync(join(tmpdir(), "celadon-catalogue-"));
  try {
    for (const name of readdirSync(directory)) {
      const text = readFileSync(join(directory, name), "utf8");
      writeFileSync(
        join(scratch, name),
        text.replace(/^( {2}name: .*)$/m, (line) => line.replaceAll("_", "-")),
      );
    }
    const setUp = policies.flatMap((entry) => [
      "-f",
      join(root, "apps/cli/catalogue", entry.category, entry.name, "policy.yaml"),
    ]);
    const { objects } = celadon(["check", ...setUp, "-f", scratch, "-o", "json"]);
    const pods = objects.filter(({ file: path }) => path.startsWith(scratch));
    if (pods.length !== readdirSync(scratch).length)
      throw new Error(`${pods.length} results for the pods in ${directory}`);
    return pods.map((pod) => ({
      file: pod.file,
      denials: pod.problems.filter(({ system }) => system === "policy").map(({ message }) => message),
    }));
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
