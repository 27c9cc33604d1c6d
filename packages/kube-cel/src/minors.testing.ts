// Answers of other versions to the vectors. A file has what a version answers otherwise than the next newer one; the vectors themselves are
// the answers of the version that they were recorded with.

import { readdirSync, readFileSync } from "node:fs";
import { isBefore, type Minor } from "@celadon/kube/versions";
import type { Outcome } from "./vector-outcomes.testing.ts";
import { RECORDED_WITH } from "./vectors.testing.ts";

/** The answer of a version to one vector. */
export interface MinorDifference {
  readonly id: string;
  /** The evaluation by a server that has the expression stored; absent if it is the answer of the next newer version. */
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

/** The answers of a version that are not those of the vectors, by the vector's id. */
export function differencesOf(minor: Minor): ReadonlyMap<string, MinorDifference> {
  const between = recordedMinors().filter((other) => !isBefore(other, minor) && isBefore(other, RECORDED_WITH));
  const files = isBefore(minor, RECORDED_WITH) ? between.reverse() : [minor];
  const answers = new Map<string, MinorDifference>();
  for (const [i, file] of files.entries()) {
    const rows = new Map(rowsOf(file).map((row) => [row.id, row]));
    const isLast = i === files.length - 1;
    for (const id of new Set([...answers.keys(), ...rows.keys()])) {
      const row = rows.get(id);
      const stored = row?.stored ?? answers.get(id)?.stored;
      const own = isLast && { ...(row?.new && { new: row.new }), ...(row?.unstable && { unstable: row.unstable }) };
      answers.set(id, { id, ...(stored && { stored }), ...own });
    }
  }
  return answers;
}

function rowsOf(minor: Minor): MinorDifference[] {
  const lines = readFileSync(new URL(`${minor}.jsonl`, directory), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as MinorDifference);
}
