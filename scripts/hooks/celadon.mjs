#!/usr/bin/env node
// Runs the command for pre-commit: the one of the repository that is checked, or the version that belongs to this checkout, through npx.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { version } = JSON.parse(readFileSync(new URL("../../apps/cli/package.json", import.meta.url), "utf8"));
const own = join(process.cwd(), "node_modules/@celadon/cli/bin/celadon.mjs");
const args = process.argv.slice(2);
const [program, ...before] = existsSync(own) ? [process.execPath, own] : [...npx(), "--yes", `@celadon/cli@${version}`];
const { status, error } = spawnSync(program, [...before, ...args], { stdio: "inherit" });
if (error !== undefined) {
  console.error(`celadon: ${error.message}; install Node 20.19 or newer with npm`);
  process.exit(3);
}
process.exit(status ?? 3);

/** On Windows npx is a script for a shell, which would read file names as commands. */
function npx() {
  if (process.platform !== "win32") return ["npx"];
  return [process.execPath, join(dirname(process.execPath), "node_modules/npm/bin/npx-cli.js")];
}
