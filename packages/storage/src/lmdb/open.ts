// Opening a directory: what is in it is looked at before LMDB maps it, one process owns it, and its format must be known.

import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import { commit, dataFile, type Environment, openRoot, openTables } from "./environment.ts";
import { openFailure } from "./failure.ts";
import { decodeFormat, EMPTY, encodeFormat, encodeState, FORMAT, FORMAT_KEY, STATE_KEY } from "./format.ts";
import { readDataFile } from "./meta-page.ts";
import { walkPages } from "./pages.ts";

/** A copy that was being made when the process ended. */
export const UNFINISHED_COPY = "data.mdb.new";

/** The directories open in this process. */
const owned = new Set<string>();

export interface Opened {
  readonly environment: Environment;
  /** The directory's real path, to be given to `disown` after closing. */
  readonly owner: string;
}

export async function openDirectory(directory: string): Promise<Opened> {
  let owner: string | undefined;
  let root: RootDatabase<Uint8Array, Uint8Array> | undefined;
  try {
    makeDirectory(directory);
    const path = realpathSync(directory);
    if (owned.has(path)) throw inUse(directory, "this process");
    owned.add(path);
    owner = path;
    checkDataFile(directory);
    root = openRoot(directory);
    checkSoleOwner(root, directory);
    rmSync(join(directory, UNFINISHED_COPY), { force: true });
    return { environment: await prepare(root, directory), owner };
  } catch (error) {
    await root?.close();
    if (owner !== undefined) owned.delete(owner);
    throw openFailure(error, directory);
  }
}

/** On a read-only file system, only the making of a single directory says what is wrong. */
function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") mkdirSync(directory, { recursive: true });
    else if (code !== "EEXIST") throw error;
  }
}

/** The directory may be opened again. */
export function disown(owner: string): void {
  owned.delete(owner);
}

/** Throws when the data file is not one that LMDB can map. */
export function checkDataFile(directory: string): void {
  const path = dataFile(directory);
  const found = readDataFile(path);
  switch (found.kind) {
    case "empty":
      return;
    case "foreign":
      throw new StoreError("foreign", `${path} was not written by this program`);
    case "version":
      throw new StoreError("format", `${path} has a format of another version of LMDB`);
    case "data": {
      // The file may end before free pages; it may not end before pages in use.
      const problem = found.isShort ? walkPages(path, found.meta, found.bytes).problems[0] : undefined;
      if (problem !== undefined) throw new StoreError("corrupt", `${path} is truncated: ${problem}; restore a backup`);
    }
  }
}

/** Makes a new store's tables, or finds an old one's in a format that is known. */
export async function prepare(root: RootDatabase<Uint8Array, Uint8Array>, directory: string): Promise<Environment> {
  const names = Array.from(root.getKeys({ limit: 100 }), tableName);
  if (names.length > 0 && !names.includes("meta"))
    throw new StoreError("foreign", `${directory} holds other data of LMDB`);
  const tables = openTables(root);
  if (tables === undefined) throw new StoreError("corrupt", `the store in ${directory} lacks a table`);
  const environment = { root, tables };
  const format = tables.meta.getBinary(FORMAT_KEY);
  if (format === undefined) {
    if (tables.log.getKeysCount({ limit: 1 }) > 0)
      throw new StoreError("foreign", `${directory} holds other data of LMDB`);
    await commit(environment, [
      { table: "meta", key: FORMAT_KEY, value: encodeFormat() },
      { table: "meta", key: STATE_KEY, value: encodeState(EMPTY) },
    ]);
    return environment;
  }
  const known = decodeFormat(format);
  if (known === undefined) throw new StoreError("foreign", `${directory} holds other data of LMDB`);
  if (known !== FORMAT) {
    throw new StoreError(
      "format",
      `the store in ${directory} has format ${known}; this version knows format ${FORMAT}`,
    );
  }
  return environment;
}

/** The package writes names of tables with a zero behind. */
function tableName(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1").replace(/\0$/, "");
}

/**
 * LMDB's table of readers says who has the file open; entries of processes that ended were removed when it was opened. Reading once
 * enters this process, so of two that open at the same time at least one sees the other.
 */
export function checkSoleOwner(root: RootDatabase<Uint8Array, Uint8Array>, directory: string): void {
  const others = otherReaders(root);
  if (others.length > 0) throw inUse(directory, `process ${others.join(", ")}`);
}

export function otherReaders(root: RootDatabase<Uint8Array, Uint8Array>): number[] {
  root.getBinary(FORMAT_KEY);
  root.readerCheck();
  const rows = root.readerList().split("\n");
  const pids = rows.flatMap((row) => /^\s*(\d+)\s/.exec(row)?.slice(1, 2).map(Number) ?? []);
  return pids.filter((pid) => pid !== process.pid);
}

function inUse(directory: string, by: string): StoreError {
  return new StoreError("in_use", `the store in ${directory} is open in ${by}`);
}
