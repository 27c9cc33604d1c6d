// The outcomes of the last runs, one file for each program.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("results/", import.meta.url));

/** Keeps the outcome of a side beside that of the other, unless the other was another version of the program. */
export function keepResult({ name, version }, side, outcome) {
  mkdirSync(FOLDER, { recursive: true });
  const file = `${FOLDER}${name}.json`;
  const known = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
  const { here, there } = { ...(known?.version === version && known), [side]: outcome };
  writeFileSync(file, `${JSON.stringify({ name, version, here, there }, undefined, 2)}\n`);
}

export function readResults() {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8")));
}
