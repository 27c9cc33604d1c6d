// Opens a directory: its contents are checked before LMDB maps it, one process owns it, and its format must be
// supported.

import { realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import { makeDirectory } from "../make-directory.ts";
import { commit, dataFile, type Environment, makeTables, openRoot, openTables, type Put } from "./environment.ts";
import { openFailure } from "./failure.ts";
import { decodeFormat, EMPTY, encodeFormat, encodeState, FORMAT, FORMAT_KEY, STATE_KEY } from "./format.ts";
import { readDataFile } from "./meta-page.ts";
import { inUse, type Owner, own } from "./owner.ts";
import { walkPages } from "./pages.ts";
import { whilePresent } from "./presence.ts";

/** A copy that was being made when the process ended. */
export const UNFINISHED_COPY = "data.mdb.new";

/** 20 MB of pages of 4 kB. */
const FIRST_PAGES = 5_000;

/** The directories open in this process. */
const owned = new Set<string>();

export interface Opened {
  readonly environment: Environment;
  /** Gives the directory free for others, after the environment is closed. */
  readonly disown: () => Promise<void>;
}

export async function openDirectory(directory: string): Promise<Opened> {
  let owner: Owner | undefined;
  let path: string | undefined;
  let root = undefined as RootDatabase<Uint8Array, Uint8Array> | undefined;
  const disown = async () => {
    await owner?.release();
    if (path !== undefined) owned.delete(path);
  };
  try {
    makeDirectory(directory);
    const real = realpathSync(directory);
    if (owned.has(real)) throw inUse(directory, "this process");
    path = real;
    owned.add(path);
    const environment = await whilePresent(directory, async () => {
      checkDataFile(directory);
      owner = own(directory);
      root = openRoot(directory);
      checkFirstPages(directory);
      return prepare(root, directory);
    });
    rmSync(join(directory, UNFINISHED_COPY), { force: true });
    return { environment, disown };
  } catch (error) {
    await root?.close();
    await disown();
    throw openFailure(error, directory);
  }
}

export function absentError(path: string): StoreError {
  return new StoreError("absent", `there is no store in ${path}`);
}

export function otherLmdb(path: string): StoreError {
  return new StoreError("format", `${path} was written by another version of LMDB`);
}

export function otherFormat(path: string, format: number): StoreError {
  const message = `the store in ${path} has format ${format}; this version of celadon reads format ${FORMAT}`;
  return new StoreError("format", `${message}; use the version that wrote it`);
}

/** Throws when LMDB cannot map the data file. */
export function checkDataFile(directory: string): void {
  const path = dataFile(directory);
  const found = readDataFile(path);
  switch (found.kind) {
    case "empty":
      return;
    case "foreign":
      throw new StoreError("foreign", `${path} was not written by this program`);
    case "version":
      throw otherLmdb(path);
    case "data": {
      const problem = truncationOf(path);
      if (problem !== undefined) throw new StoreError("corrupt", `${path} is truncated: ${problem}; restore a backup`);
    }
  }
}

/** Describes the missing part of a file. It may end before free pages; it may not end before pages in use. */
export function truncationOf(path: string): string | undefined {
  for (;;) {
    const found = readDataFile(path);
    if (found.kind !== "data" || !found.isShort) return undefined;
    const [problem] = walkPages(path, found.meta, found.bytes).problems;
    if (problem === undefined) return undefined;
    // Another process may have written meanwhile, to pages that were in use before.
    const after = readDataFile(path);
    if (after.kind !== "data" || after.meta.transaction === found.meta.transaction) return problem;
  }
}

/**
 * LMDB ends the process on pages that make no sense. All of a small store is checked before it gets there, and of a large one as much as
 * takes some milliseconds. Nobody else may write meanwhile.
 */
function checkFirstPages(directory: string): void {
  const path = dataFile(directory);
  const found = readDataFile(path);
  if (found.kind !== "data") return;
  const [problem] = walkPages(path, found.meta, found.bytes, FIRST_PAGES).problems;
  if (problem !== undefined) throw new StoreError("corrupt", `${path} is damaged: ${problem}; restore a backup`);
}

/** The metadata of a new store. */
const FIRST_PUTS: readonly Put[] = [
  { table: "meta", key: FORMAT_KEY, value: encodeFormat() },
  { table: "meta", key: STATE_KEY, value: encodeState(EMPTY) },
];

/** Makes a new store's tables, or finds an old one's in a format that is known. */
export async function prepare(root: RootDatabase<Uint8Array, Uint8Array>, directory: string): Promise<Environment> {
  const names = Array.from(root.getKeys({ limit: 100 }), tableName);
  if (names.length > 0 && !names.includes("meta"))
    throw new StoreError("foreign", `${directory} is another program's LMDB database`);
  if (names.length === 0) return { root, tables: makeTables(root, FIRST_PUTS) };
  const tables = openTables(root);
  if (tables === undefined) throw new StoreError("corrupt", `the store in ${directory} lacks a table`);
  const environment = { root, tables };
  const format = tables.meta.getBinary(FORMAT_KEY);
  if (format === undefined) {
    if (tables.log.getKeysCount({ limit: 1 }) > 0)
      throw new StoreError("foreign", `${directory} is another program's LMDB database`);
    await commit(environment, FIRST_PUTS);
    return environment;
  }
  const known = decodeFormat(format);
  if (known === undefined) throw new StoreError("foreign", `${directory} is another program's LMDB database`);
  if (known !== FORMAT) throw otherFormat(directory, known);
  return environment;
}

/** The package writes names of tables with a zero behind. */
function tableName(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1").replace(/\0$/, "");
}
