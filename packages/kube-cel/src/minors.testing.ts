// Answers of other versions to the vectors where they differ from the version that these were recorded with.

import { readdirSync, readFileSync } from "node:fs";
import type { Minor } from "@celadon/kube/versions";
import type { Outcome } from "./vector-outcomes.testing.ts";

/** The answer of a version to one vector. */
export interface MinorDifference {
  readonly id: string;
  /** The evaluation by a server that has the expression stored; absent if it equals the vector's answer. */
  readonly stored?: Outcome;
  /** The answer to an expression being written, if it is another. */
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
