// The report of `celadon store check` about stores and backups.

import type { CheckReport } from "@celadon/storage/lmdb";
import type { CommandReport, ReportRow } from "../output/answer.ts";
import type { Paint } from "../output/paint.ts";
import { countText, sizeText } from "../output/size.ts";
import { EXIT } from "../program/exit.ts";

export interface CheckedStore extends CheckReport {
  /** The path as the user named it, or as the data directory has it. */
  readonly path: string;
}

export function checkAnswer(stores: readonly CheckedStore[]): CommandReport {
  return {
    results: stores.flatMap(resultsOf),
    document: { apiVersion: "celadon.dev/v1", kind: "StoreReport", stores },
    text: (paint) => stores.map((store) => textOf(store, paint)).join(""),
    table: {
      columns: ["STORE", "REVISION", "OBJECTS", "VERSIONS", "IN USE", "FILE", "PROBLEMS"],
      rows: stores.map(({ path, revision, keys, versions, usedBytes, fileBytes, problems }) => [
        path,
        String(revision),
        String(keys),
        String(versions),
        sizeText(usedBytes),
        sizeText(fileBytes),
        String(problems.length),
      ]),
    },
    exit: stores.every(({ problems }) => problems.length === 0) ? EXIT.ok : EXIT.failed,
  };
}

function resultsOf({ path, problems }: CheckedStore): ReportRow[] {
  const base = { group: path, rule: "store/damaged", ruleText: "the store is damaged", system: "store" };
  if (problems.length === 0) return [{ ...base, name: path, level: "pass", message: "" }];
  return problems.map((message, i) => ({ ...base, name: `${path} · ${i + 1}`, level: "fail", message }));
}

function textOf(store: CheckedStore, paint: Paint): string {
  const { path, problems, keys, versions, revision, compactedRevision, usedBytes, fileBytes } = store;
  if (problems.length > 0) {
    const lines = problems.map((problem) => `  ${problem}\n`).join("");
    return `${path}: ${paint.red("damaged")}\n${lines}  help: restore a backup: celadon store restore FILE --data-dir DIR\n`;
  }
  const oldest = Math.max(1, compactedRevision);
  return (
    `${path}: ${paint.green("no damage")}\n` +
    `  ${countText(keys, "object")}, ${countText(versions, "version")}, revisions ${oldest} to ${revision}\n` +
    `  ${sizeText(fileBytes)}, of which ${sizeText(Math.max(0, fileBytes - usedBytes))} are free for new data\n`
  );
}
