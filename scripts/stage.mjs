// npm run stage -- [directory] [--dry-run]: writes every package as it is published below a directory, `packed/` by default. With --dry-run,
// npm then packs each of them as `npm publish` would, without sending anything.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { publishedPackages, stagePackage } from "./stage-package.mjs";

const { values, positionals } = parseArgs({
  options: { "dry-run": { type: "boolean", default: false } },
  allowPositionals: true,
});
const out = positionals[0] ?? "packed";

for (const path of publishedPackages()) {
  const directory = join(out, basename(path));
  const files = stagePackage(path);
  rmSync(directory, { recursive: true, force: true });
  for (const [file, bytes] of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    writeFileSync(join(directory, file), bytes);
  }
  console.log(values["dry-run"] ? packed(directory, files) : directory);
}

/** A line about the tarball that npm would publish; an error if it lacks a file. */
function packed(directory, files) {
  const json = execFileSync("npm", ["pack", "--dry-run", "--json", resolve(directory)], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    maxBuffer: 64 << 20,
  });
  const [tarball] = JSON.parse(json);
  const contained = new Set(tarball.files.map((file) => file.path));
  const missing = [...files.keys()].filter((file) => !contained.has(file));
  if (missing.length > 0) throw new Error(`the tarball of ${tarball.name} lacks ${missing.slice(0, 3).join(", ")}`);
  return `${tarball.name} ${tarball.version}: ${tarball.entryCount} files, ${(tarball.size / 1000).toFixed(0)} kB`;
}
