// The figures of the last whole campaigns, kept beside the code: results/<campaign>.json.

import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";

export function keepResult(campaign: string, figures: object, load: readonly number[]): void {
  const folder = fileURLToPath(new URL("../results/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const result = { date: new Date().toISOString().slice(0, 10), ...machine(load), ...figures };
  writeFileSync(`${folder}${campaign}.json`, `${JSON.stringify(result, undefined, 2)}\n`);
}

/** The machine, and its load before and after the campaign. */
function machine(before: readonly number[]): object {
  const [processor] = cpus();
  const [atFirst, atLast] = [before[0], loadavg()[0]].map((value) => Math.round((value ?? 0) * 10) / 10);
  const load = { before: atFirst, after: atLast };
  return { node: process.version, processor: processor?.model.trim(), processors: cpus().length, load };
}
