// The writer's journal: a line before and after every transaction. The page cache survives the writer's death, so the journal is complete up to
// the moment of the kill.

import { readFileSync } from "node:fs";

/** A change in a transaction: a padded value unique to the transaction, or a deletion. */
export interface JournalChange {
  readonly key: string;
  /** The length of the padding; undefined for a deletion. */
  readonly padding: number | undefined;
}

export type JournalLine =
  | { readonly say: "open"; readonly revision: number }
  | { readonly say: "begin"; readonly id: string; readonly changes: readonly JournalChange[] }
  | { readonly say: "end"; readonly id: string; readonly written: boolean; readonly revision: number };

export function writtenValue(id: string, padding: number): string {
  return `${id}:${"x".repeat(padding)}`;
}

export function idOf(value: string): string {
  return value.slice(0, value.indexOf(":"));
}

/** The lines of a journal; one cut short by the kill does not count. */
export function readJournal(path: string): JournalLine[] {
  const text = readFileSync(path, "utf8");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as JournalLine);
}
