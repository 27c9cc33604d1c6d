// Restoring puts a backup into a directory that has no store.

import { chmodSync, copyFileSync, existsSync, rmdirSync } from "node:fs";
import { StoreError } from "../error.ts";
import { makeDirectory } from "../make-directory.ts";
import { type CheckReport, checkLmdb } from "./check.ts";
import { readState } from "./compaction.ts";
import { existsError, moveInto, removeUnfinished, syncFile, unfinishedName } from "./copy.ts";
import { commit, dataFile, openRoot, openTables } from "./environment.ts";
import { writeFailure } from "./failure.ts";
import { encodeState, STATE_KEY } from "./format.ts";

/** Options for restoring a backup. */
export interface RestoreOptions {
  /**
   * The number by which the revision is raised, so that no revision that clients saw before the restore means something else afterwards;
   * earlier revisions are compacted, and clients list again. 0 keeps the revision of the backup.
   */
  readonly raiseRevision?: number;
}

/** The number that etcd's documentation advises for its own restores: more than a store writes between two backups. */
export const RAISE_REVISION = 1_000_000_000;

/** Makes a store from a backup. Nothing is overwritten: an existing store is an error. */
export async function restoreLmdb(file: string, directory: string, options: RestoreOptions = {}): Promise<CheckReport> {
  const target = dataFile(directory);
  if (existsSync(target)) throw existsError(target);
  const { problems } = await checkLmdb(file, { file: true });
  if (problems.length > 0) throw new StoreError("corrupt", `the backup ${file} is damaged: ${problems[0]}`);
  const unfinished = unfinishedName(target);
  const made: string[] = [];
  try {
    makeDirectory(directory, made);
    copyFileSync(file, unfinished);
    chmodSync(unfinished, 0o600);
    const raise = options.raiseRevision ?? RAISE_REVISION;
    if (raise > 0) await raiseRevision(unfinished, raise);
    syncFile(unfinished);
    moveInto(unfinished, target);
  } catch (error) {
    removeUnfinished(unfinished);
    removeEmpty(made);
    throw writeFailure(error, directory);
  }
  removeUnfinished(unfinished);
  return checkLmdb(directory);
}

/** The innermost first, and none that something else uses by now. */
function removeEmpty(directories: readonly string[]): void {
  try {
    for (const directory of directories.toReversed()) rmdirSync(directory);
  } catch {
    // Files in use stay.
  }
}

async function raiseRevision(file: string, by: number): Promise<void> {
  const root = openRoot(file, { file: true });
  try {
    const environment = { root, tables: openTables(root)! };
    const head = readState(environment).head + by;
    const state = encodeState({ ...readState(environment), head, compacted: head });
    await commit(environment, [{ table: "meta", key: STATE_KEY, value: state }]);
  } finally {
    await root.close();
  }
}
