// A process that only reads and parses the files under a folder, or one file: the yardstick for the command. The items of a large List are
// parsed one by one, as no parser holds all of it in memory. With --yaml the parser of the yaml package does it, which is what most
// JavaScript programs would take; ours is many times as fast. node command-read.js PATH [--yaml]

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readDocuments } from "@celadon/kube/read";
import { parseAllDocuments } from "yaml";

const [path = "", parser] = process.argv.slice(2);
const files = statSync(path).isDirectory()
  ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))
  : [path];
let documents = 0;
for (const file of files) {
  if (!file.endsWith(".yaml")) continue;
  const text = readFileSync(file, "utf8");
  for (const part of text.startsWith("apiVersion: v1\nitems:\n") ? itemsOf(text) : [text]) {
    documents +=
      parser === "--yaml" ? [...parseAllDocuments(part)].map((document) => document.toJS()).length : ours(part, file);
  }
}
console.log(documents);

function ours(text: string, file: string): number {
  const { documents: found, issues } = readDocuments(text, { file });
  if (issues.length > 0) throw new Error(`${file}: ${issues[0]!.message}`);
  return found.length;
}

/** Each with its dash: a list of one. */
function itemsOf(list: string): string[] {
  return list.slice(list.indexOf("\n- ") + 1, list.indexOf("\nkind: List")).split(/\n(?=- )/);
}
