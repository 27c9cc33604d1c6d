// Valid (and some deliberately invalid) expressions to start from, with documents to evaluate them on.

import { readFileSync } from "node:fs";

export interface Seed {
  readonly expr: string;
  readonly vars: Readonly<Record<string, unknown>>;
}

export function readCorpus(): Seed[] {
  const documents = readLines<Seed["vars"]>("documents.jsonl");
  return readLines<{ expr: string; document?: number }>("expressions.jsonl").map(({ expr, document }) => ({
    expr,
    vars: document === undefined ? {} : (documents[document] ?? {}),
  }));
}

function readLines<T>(name: string): T[] {
  const text = readFileSync(new URL(`../testdata/${name}`, import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}
