// LMDB as this store uses it: bytes in, bytes out, five tables in one file. The only place that knows the lmdb package.

import { join } from "node:path";
import { type Database, open, type RootDatabase, TransactionFlags } from "lmdb";

/** A table of bytes by bytes. */
export type Table = Database<Uint8Array, Uint8Array>;

export interface Tables {
  /** Format and state. */
  readonly meta: Table;
  /** Versions by place. */
  readonly log: Table;
  /** Pointers by key. */
  readonly live: Table;
  /** Live keys by directory. */
  readonly counts: Table;
  /** Keys by the second they expire at. */
  readonly expiry: Table;
}

export interface Environment {
  readonly root: RootDatabase<Uint8Array, Uint8Array>;
  readonly tables: Tables;
}

/** A change to be committed: a value to put, or undefined to remove. */
export interface Put {
  readonly table: keyof Tables;
  readonly key: Uint8Array;
  readonly value: Uint8Array | undefined;
}

export const DATA_FILE = "data.mdb";

const BYTES = { encoding: "binary", keyEncoding: "binary" } as const;
const NAMES = ["meta", "log", "live", "counts", "expiry"] as const;

/** Address space, not memory or disk: the file grows as it is written. */
export const MAP_SIZE: number = 256 * 2 ** 30;

export interface EnvironmentOptions {
  readonly readOnly?: boolean;
  /** The path is the data file itself, used by no other process: a backup. */
  readonly file?: boolean;
}

export function openRoot(path: string, options: EnvironmentOptions = {}): RootDatabase<Uint8Array, Uint8Array> {
  return open<Uint8Array, Uint8Array>(path, {
    ...BYTES,
    noSubdir: options.file ?? false,
    readOnly: options.readOnly ?? false,
    maxDbs: NAMES.length,
    mapSize: MAP_SIZE,
    // A commit returns when it is flushed; nothing else may count as written.
    overlappingSync: false,
    // Batches are made here; the batching of the package would reject promises that nothing handles.
    eventTurnBatching: false,
  });
}

/** The tables, made when they are absent and may be; undefined when one is absent. */
export function openTables(root: RootDatabase<Uint8Array, Uint8Array>): Tables | undefined {
  const tables: Partial<Record<keyof Tables, Table>> = {};
  for (const name of NAMES) {
    const table = root.openDB<Uint8Array, Uint8Array>({ ...BYTES, name });
    if (table === undefined) return undefined;
    tables[name] = table;
  }
  return tables as Tables;
}

/** The tables of a new store with their first entries, flushed once: the package flushes every table that it makes by itself. */
export function makeTables(root: RootDatabase<Uint8Array, Uint8Array>, first: readonly Put[]): Tables {
  return root.transactionSync(() => {
    const tables = openTables(root)!;
    for (const { table, key, value } of first) tables[table].putSync(key, value!);
    return tables;
  }, TransactionFlags.SYNCHRONOUS_COMMIT);
}

/** Writes all changes in one transaction, flushed when the promise resolves. */
export async function commit({ root, tables }: Environment, puts: readonly Put[]): Promise<void> {
  await root.batch(() => {
    for (const { table, key, value } of puts) {
      if (value === undefined) tables[table].remove(key);
      else tables[table].put(key, value);
    }
  });
}

export function dataFile(directory: string): string {
  return join(directory, DATA_FILE);
}
