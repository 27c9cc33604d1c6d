// The inputs of bundles, and whether a bundle is newer than all of them.

import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../", import.meta.url));

/** The packages and the given applications: their manifests and sources. */
export function sourcesOf(...applications) {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  return [...packages, ...applications].flatMap((folder) => [
    join(folder, "package.json"),
    ...filesUnder(join(folder, "src")),
  ]);
}

/** Tests apart: they are in no bundle. */
export function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(test|testing)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Whether a file exists and is newer than all others, as far as those exist. */
export function isNewer(file, others) {
  if (!existsSync(file)) return false;
  const since = statSync(file).mtimeMs;
  return others.every((path) => !existsSync(path) || statSync(path).mtimeMs < since);
}
