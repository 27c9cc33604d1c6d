// The corpus of public CustomResourceDefinitions with objects and the answers of a real API server, where it is at hand.

import { readFileSync } from "node:fs";
import type { JsonObject } from "@celadon/base";
import { Double } from "@celadon/cel";
import { readDocuments } from "@celadon/kube/read";
import { CORPUS, corpusCaseNames, hasCorpus } from "../../../conformance/src/corpus/corpus-directory.ts";

export { hasCorpus };

export interface Cause {
  readonly field?: string;
  readonly message?: string;
  readonly reason?: string;
}

export interface RecordedAnswer {
  readonly by?: "ok" | "schema" | "policy" | "other";
  readonly code?: number;
  readonly causes?: readonly Cause[];
  readonly warnings?: readonly string[];
  readonly message?: string;
  readonly name?: string;
}

export interface ExpectedObject {
  readonly operation?: string;
  readonly oldObject?: string;
  readonly subresource?: string;
}

export interface CorpusCase {
  readonly name: string;
  readonly crds: readonly JsonObject[];
  readonly recordedCrds: readonly RecordedAnswer[];
  readonly objects: Readonly<Record<string, RecordedAnswer>>;
  readonly expected: Readonly<Record<string, ExpectedObject>>;
  object(file: string): JsonObject;
}

export const corpusCases = (): CorpusCase[] => corpusCaseNames("crds").map(readCase);

function readCase(name: string): CorpusCase {
  const directory = `${CORPUS}/crds/${name}/`;
  const recorded = JSON.parse(readFileSync(`${directory}recorded.json`, "utf8"));
  const expected = JSON.parse(readFileSync(`${directory}expected.json`, "utf8"));
  return {
    name,
    crds: read(`${directory}crd.yaml`),
    recordedCrds: recorded.crds,
    objects: recorded.objects ?? {},
    expected: expected.objects ?? {},
    object: (file) => read(`${directory}objects/${file}`)[0]!,
  };
}

function read(file: string): JsonObject[] {
  const options = { file, double: (n: number): Double => new Double(n), foldYamlDoubles: true };
  const { documents, issues } = readDocuments(readFileSync(file, "utf8"), options);
  if (issues.length > 0) throw new Error(`${file}: ${issues[0]!.message}`);
  return documents.map(({ value }) => value as JsonObject);
}
