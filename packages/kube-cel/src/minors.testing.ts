// What other minors answer to the vectors where they differ from the minor that these were recorded with.

import { readdirSync, readFileSync } from "node:fs";
import type { Minor } from "@celadon/kube/versions";
import type { Outcome } from "./vector-outcomes.testing.ts";

/** How a minor answers one vector. */
export interface MinorDifference {
  readonly id: string;
  /** What a server evaluates that has the expression stored; absent where the answer is that of the vector. */
  readonly stored?: Outcome;
  /** What it answers to an expression being written, where that is another answer. */
  readonly new?: Outcome;
  /** The reference crashes, or answers now this and now that. */
  readonly unstable?: true;
}

const directory = new URL("./testdata/minors/", import.meta.url);

/** The minors whose answers are recorded, oldest first. */
export function recordedMinors(): Minor[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(".jsonl", "") as Minor)
    .sort();
}

export function differencesOf(minor: Minor): ReadonlyMap<string, MinorDifference> {
  const lines = readFileSync(new URL(`${minor}.jsonl`, directory), "utf8").split("\n");
  const rows = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as MinorDifference);
  return new Map(rows.map((row) => [row.id, row]));
}
