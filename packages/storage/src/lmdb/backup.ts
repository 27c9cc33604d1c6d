// A backup is one file, without free space, of one commit; the store may be written meanwhile, by this or another process.

import { existsSync, statSync } from "node:fs";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import type { Revision } from "../store.ts";
import { checkLmdb } from "./check.ts";
import { copy, existsError, moveInto, removeUnfinished, unfinishedName } from "./copy.ts";
import { dataFile, openRoot } from "./environment.ts";
import { openFailure, writeFailure } from "./failure.ts";
import { absentError, checkDataFile } from "./open.ts";
import { whilePresent } from "./presence.ts";

/** The content of a backup. */
export interface BackupReport {
  readonly revision: Revision;
  readonly keys: number;
  readonly bytes: number;
}

/** Writes a consistent copy of the store in a directory to a file that does not exist. */
export async function backupLmdb(directory: string, file: string): Promise<BackupReport> {
  if (existsSync(file)) throw existsError(file);
  if (!existsSync(dataFile(directory))) throw absentError(directory);
  const unfinished = unfinishedName(file);
  try {
    await whilePresent(directory, () => copyOf(directory, unfinished, file));
    const { problems, revision, keys } = await checkLmdb(unfinished, { file: true });
    if (problems.length > 0) throw new StoreError("corrupt", `the store in ${directory} is damaged: ${problems[0]}`);
    moveInto(unfinished, file);
    return { revision, keys, bytes: statSync(file).size };
  } catch (error) {
    throw writeFailure(error, file);
  } finally {
    removeUnfinished(unfinished);
  }
}

async function copyOf(directory: string, unfinished: string, file: string): Promise<void> {
  let root: RootDatabase<Uint8Array, Uint8Array>;
  try {
    checkDataFile(directory);
    root = openRoot(directory, { readOnly: true });
  } catch (error) {
    throw openFailure(error, directory);
  }
  try {
    await copy(root, unfinished);
  } catch (error) {
    throw writeFailure(error, file);
  } finally {
    await root.close();
  }
}
