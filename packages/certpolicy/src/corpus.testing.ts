// The corpus of certificate policies and requests, where it is at hand.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORPUS, hasCorpus } from "../../../conformance/src/corpus/corpus-directory.ts";

export { hasCorpus };

/** A JSON file of the corpus; undefined if it is absent. */
export function readCorpus<T>(name: string): T | undefined {
  return hasCorpus ? (JSON.parse(readFileSync(join(CORPUS, "certificate-policy", name), "utf8")) as T) : undefined;
}
