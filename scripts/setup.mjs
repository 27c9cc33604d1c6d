// Makes a clone ready: installs the lockfile unless it is installed already, then builds changed files. With --quiet it prints only
// failures. Runs before anything is installed, so it may import nothing but Node.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const quiet = process.argv.includes("--quiet");

if (!isInstalled()) run("npm ci", npm(), ["ci", "--no-audit", "--no-fund"]);
run("tsc -b", process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-b"]);
run("bundle", process.execPath, [`${root}scripts/bundle.mjs`]);
run("playground", process.execPath, [`${root}scripts/build-playground.mjs`]);

/**
 * True when every package of the lockfile is in node_modules in its locked version. npm keeps a list of the installed packages there;
 * contents are compared, not times, because a checkout touches times.
 */
function isInstalled() {
  const list = `${root}node_modules/.package-lock.json`;
  if (!existsSync(list)) return false;
  const installed = readPackages(list);
  return Object.entries(readPackages(`${root}package-lock.json`)).every(([path, locked]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found === undefined) return locked.optional === true || !path.includes("node_modules/");
    return found.version === locked.version && found.link === locked.link;
  });
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages;
}

/** npm as it was called; from a plain `node scripts/setup.mjs`, npm from the path. */
function npm() {
  return process.env.npm_execpath ?? "npm";
}

function run(title, program, args) {
  const started = Date.now();
  const script = program.endsWith("js");
  const { status, error } = spawnSync(script ? process.execPath : program, script ? [program, ...args] : args, {
    cwd: root,
    // The program that runs afterwards has standard output for itself.
    stdio: quiet ? ["inherit", 2, 2] : "inherit",
  });
  if (error !== undefined) throw error;
  if (status !== 0) {
    console.error(`setup: ${title} failed`);
    process.exit(status ?? 1);
  }
  if (!quiet) console.log(`setup: ${title} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
