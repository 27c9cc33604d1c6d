// Manifests from text: YAML or JSON, one document or many, items of Lists one by one. Numbers are kept as an API server reads them.

import { Double, isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { type ReadDocument, type ReadIssue, readDocuments } from "@celadon/kube/read";
import type { Manifest, Origin } from "./manifest.ts";

/** The manifests in a text. */
export interface ReadManifests {
  readonly manifests: readonly Manifest[];
  /** The problems of reading, with their places. */
  readonly issues: readonly ReadIssue[];
}

/** Reads the objects of a text. `file` is the file name in their places. Empty documents are skipped. */
export function readManifests(text: string, file = "<input>"): ReadManifests {
  const { documents, issues } = readDocuments(text, { file, foldYamlDoubles: true, double: (n) => new Double(n) });
  return { manifests: documents.flatMap((document) => manifestsOf(document, file)), issues };
}

function manifestsOf(document: ReadDocument, file: string): Manifest[] {
  const { value } = document;
  if (value === null || value === undefined) return [];
  const items = isRecord(value) && value.kind === "List" && value.apiVersion === "v1" ? value.items : undefined;
  if (!Array.isArray(items)) return [{ object: value as KubeObject, origin: originOf(document, file, []) }];
  return items.map((item, i) => ({ object: item as KubeObject, origin: originOf(document, file, ["items", i]) }));
}

function originOf(document: ReadDocument, file: string, above: readonly (string | number)[]): Origin {
  return {
    file,
    positionOf: (path, part) => document.positionOf([...above, ...path], part),
    positionIn: (path, offset) => document.positionIn([...above, ...path], offset),
    lineText: (line) => document.lineText(line),
  };
}
