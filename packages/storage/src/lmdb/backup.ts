// Copies of a store. A backup is one file, without free space, of one commit; the store may be written meanwhile, by this or another
// process. Restoring puts it into a directory that has no store.

import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import type { Revision } from "../store.ts";
import { type CheckReport, checkLmdb } from "./check.ts";
import { readState } from "./compaction.ts";
import { commit, DATA_FILE, dataFile, openRoot, openTables } from "./environment.ts";
import { openFailure } from "./failure.ts";
import { encodeState, STATE_KEY } from "./format.ts";
import { checkDataFile, UNFINISHED_COPY } from "./open.ts";

export interface BackupReport {
  readonly revision: Revision;
  readonly bytes: number;
}

/** Writes a consistent copy of the store in a directory to a file that does not exist. */
export async function backupLmdb(directory: string, file: string): Promise<BackupReport> {
  if (existsSync(file)) throw new StoreError("in_use", `${file} exists already`);
  if (!existsSync(dataFile(directory))) throw new StoreError("foreign", `${directory} does not hold a store`);
  checkDataFile(directory);
  const unfinished = `${file}.unfinished`;
  let root: RootDatabase<Uint8Array, Uint8Array> | undefined;
  try {
    root = openRoot(directory, { readOnly: true });
    await copy(root, unfinished);
    const report = await checkLmdb(unfinished, { file: true });
    if (report.problems.length > 0) throw new StoreError("corrupt", `the store is damaged: ${report.problems[0]}`);
    renameSync(unfinished, file);
    syncDirectory(dirname(file));
    return { revision: report.revision, bytes: statSync(file).size };
  } catch (error) {
    throw openFailure(error, directory);
  } finally {
    rmSync(unfinished, { force: true });
    rmSync(`${unfinished}-lock`, { force: true });
    await root?.close();
  }
}

/** Copies what is in use, flushed when it resolves. LMDB copies a directory into a directory. */
export async function copy(root: RootDatabase<Uint8Array, Uint8Array>, file: string): Promise<void> {
  const directory = `${file}.directory`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    await root.backup(directory, true);
    renameSync(join(directory, DATA_FILE), file);
    syncFile(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export interface RestoreOptions {
  /**
   * How far the revision is raised, so that no revision that clients saw before the restore means something else afterwards; what is
   * before is compacted, and clients list again. 0 keeps the revision of the backup.
   */
  readonly raiseRevision?: number;
}

/** As etcd's documentation advises for its own restores: more than a store writes between two backups. */
export const RAISE_REVISION = 1_000_000_000;

export async function restoreLmdb(file: string, directory: string, options: RestoreOptions = {}): Promise<CheckReport> {
  const report = await checkLmdb(file, { file: true });
  rmSync(`${file}-lock`, { force: true });
  if (report.problems.length > 0) throw new StoreError("corrupt", `the backup is damaged: ${report.problems[0]}`);
  const target = join(directory, DATA_FILE);
  if (existsSync(target)) throw new StoreError("in_use", `${directory} holds a store already`);
  const unfinished = join(directory, UNFINISHED_COPY);
  try {
    mkdirSync(directory, { recursive: true });
    copyFileSync(file, unfinished);
    const raise = options.raiseRevision ?? RAISE_REVISION;
    if (raise > 0) await raiseRevision(unfinished, raise);
    rmSync(`${unfinished}-lock`, { force: true });
    syncFile(unfinished);
    renameSync(unfinished, target);
    syncDirectory(directory);
    return await checkLmdb(directory);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw openFailure(error, directory);
  }
}

async function raiseRevision(file: string, by: number): Promise<void> {
  const root = openRoot(file, { file: true });
  const environment = { root, tables: openTables(root)! };
  const head = readState(environment).head + by;
  const state = encodeState({ ...readState(environment), head, compacted: head });
  await commit(environment, [{ table: "meta", key: STATE_KEY, value: state }]);
  await root.close();
}

export function syncFile(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

/** Makes a rename last; a system that cannot open directories has no need of it. */
export function syncDirectory(path: string): void {
  let directory: number;
  try {
    directory = openSync(path, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(directory);
  } catch {
    // Windows cannot flush a directory.
  }
  closeSync(directory);
}
