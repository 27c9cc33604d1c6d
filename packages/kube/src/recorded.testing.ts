// Recorded answers of the reference implementation, one JSON object per line, beside the test that reads them.

import { readFileSync } from "node:fs";

export function recorded<T>(name: string, from: string): T[] {
  return readFileSync(new URL(`./testdata/${name}.jsonl`, from), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
