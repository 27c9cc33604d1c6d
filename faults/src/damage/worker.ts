// The program that uses damaged stores and may crash: node worker.js <source> <directory> <seed> <from> <to>. Prints a line per case.

import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { seeded } from "../random.ts";
import { tryDamaged } from "./damage.ts";

const [source, directory, seed, from, to] = process.argv.slice(2) as [string, string, string, string, string];
const content = readFileSync(join(source, "data.mdb"));
for (let i = Number(from); i < Number(to); i++) {
  const tried = await tryDamaged(content, join(directory, String(i)), seeded(Number(seed) + i));
  writeSync(1, `${JSON.stringify({ case: i, ...tried })}\n`);
}
