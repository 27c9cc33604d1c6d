// The licences of the packages that a bundle contains: they ask to go along.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { root } from "./sources.mjs";

/** Inputs are the paths of the bundled files, relative to the root or absolute. */
export function noticesOf(bundle, inputs) {
  const folders = new Set(
    inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(resolve(root, path))?.[0] ?? []),
  );
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry));
    const text = file === undefined ? `License: ${license}` : readFileSync(`${folder}/${file}`, "utf8").trim();
    return `${name} ${version}\n\n${text}\n`;
  });
  return `${bundle} contains these packages.\n\n${notices.join(`\n${"-".repeat(80)}\n\n`)}`;
}
