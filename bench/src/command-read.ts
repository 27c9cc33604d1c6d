// A process that reads and parses the files under a folder and does nothing else: what the command is measured against.
// node command-read.js FOLDER

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocuments } from "@celadon/kube/read";

const folder = process.argv[2]!;
let documents = 0;
for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
  if (!entry.endsWith(".yaml")) continue;
  const { documents: found, issues } = readDocuments(readFileSync(join(folder, entry), "utf8"), { file: entry });
  if (issues.length > 0) throw new Error(`${entry}: ${issues[0]!.message}`);
  documents += found.length;
}
console.log(documents);
