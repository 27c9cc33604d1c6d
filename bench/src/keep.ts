// Figures that are kept: results/<name>.json, with the day, the tree and the machine they were measured on.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";

const MEASURED = ["packages", "apps", "bench/src"];

export function keep(name: string, figures: object): void {
  const result = { ...circumstances(), ...figures };
  writeFileSync(new URL(`../results/${name}.json`, import.meta.url), `${JSON.stringify(result, rounded, 2)}\n`);
  console.log(`\nwritten: bench/results/${name}.json`);
}

const rounded = (_: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;

function circumstances(): object {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    node: process.version,
    processor: cpus()[0]?.model.trim(),
    processors: cpus().length,
  };
}

/** The load of the last minute. */
export function load(): number {
  return Math.round(loadavg()[0]! * 10) / 10;
}

/** Undefined without a repository. */
function commit(): string | undefined {
  try {
    const changed = git("status", "--porcelain", "--", ...MEASURED) !== "";
    return `${git("rev-parse", "--short=8", "HEAD")}${changed ? " with changes" : ""}`;
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  const cwd = new URL("../..", import.meta.url);
  return execFileSync("git", args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}
