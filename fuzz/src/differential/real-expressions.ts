// Expressions that people wrote, from a folder of collected policies outside this repository, rewritten to the variables of the reference.

import { existsSync, readFileSync } from "node:fs";

/** The names of rules' and policies' variables here. */
const RENAMED: readonly (readonly [RegExp, string])[] = [
  [/\boldSelf\b/g, "oldObject"],
  [/\bself\b/g, "object"],
  [/\bvariables\b/g, "params"],
  [/\banyObject\b/g, "object"],
];

/** Undefined when the folder is not there. */
export function readRealExpressions(folder: string): readonly string[] | undefined {
  const file = `${folder}/expressions.json`;
  if (!existsSync(file)) return undefined;
  const collected = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly expression: string }[];
  const texts = collected.map(({ expression }) =>
    RENAMED.reduce((text, [name, here]) => text.replaceAll(name, here), expression),
  );
  return [...new Set(texts)].filter((text) => !text.includes("authorizer"));
}
