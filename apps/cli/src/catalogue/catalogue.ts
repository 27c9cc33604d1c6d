// The policies that `celadon init` offers: a directory for each category, and in it one for each policy, with a suite and often params.
// Title, category and description are annotations of the policy, so that they are in the cluster too.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "@celadon/base";
import { readDocuments } from "@celadon/kube/read";

export interface CatalogueEntry {
  /** The name of the policy, its binding and its directory. */
  readonly name: string;
  readonly category: string;
  readonly title: string;
  readonly description: string;
  /** By name: `policy.yaml`, `tests.yaml`, and `params.yaml` if the policy has params. */
  readonly files: ReadonlyMap<string, string>;
}

const ANNOTATION = "celadon.dev/";

/** All entries, by category and name. */
export function readCatalogue(directory: string): readonly CatalogueEntry[] {
  return namesIn(directory).flatMap((category) =>
    namesIn(join(directory, category)).map((name) => readEntry(join(directory, category, name), category, name)),
  );
}

/** Directories, sorted; files beside them are the catalogue's own. */
function namesIn(directory: string): readonly string[] {
  const found = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return found.map(({ name }) => name).sort();
}

function readEntry(directory: string, category: string, name: string): CatalogueEntry {
  const files = new Map(
    readdirSync(directory)
      .sort()
      .map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
  const annotations = annotationsOf(files.get("policy.yaml") ?? "");
  const text = (key: string): string => String(annotations[`${ANNOTATION}${key}`] ?? "");
  return { name, category, title: text("title"), description: text("description"), files };
}

function annotationsOf(text: string): Readonly<Record<string, unknown>> {
  const policy = readDocuments(text).documents[0]?.value;
  const metadata = isRecord(policy) ? policy.metadata : undefined;
  const annotations = isRecord(metadata) ? metadata.annotations : undefined;
  return isRecord(annotations) ? annotations : {};
}

/** Entries by the names of policies and categories; `unknown` has the words that are neither. */
export function chosenFrom(
  catalogue: readonly CatalogueEntry[],
  words: readonly string[],
): { readonly chosen: readonly CatalogueEntry[]; readonly unknown: readonly string[] } {
  const isNamed = ({ name, category }: CatalogueEntry, word: string): boolean => word === name || word === category;
  return {
    chosen: catalogue.filter((entry) => words.some((word) => isNamed(entry, word))),
    unknown: words.filter((word) => !catalogue.some((entry) => isNamed(entry, word))),
  };
}
