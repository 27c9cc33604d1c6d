// One process owns a directory. LMDB keeps a table of the processes that read a file, and drops processes after their end, of any kind. The
// entry for the data file comes and goes with reads, so ownership has a small file of its own with a read that lasts as long as it does.

import { join } from "node:path";
import { open, type Transaction } from "lmdb";
import { StoreError } from "../error.ts";
import { otherReaders } from "./readers.ts";

const OWNER_FILE = "owner.mdb";
/** The file stays empty. */
const OWNER_MAP_SIZE = 2 ** 20;

/** Makes this process the owner of a directory; throws while another one is. */
export function own(directory: string): Owner {
  const root = open<Uint8Array, Uint8Array>(join(directory, OWNER_FILE), {
    encoding: "binary",
    keyEncoding: "binary",
    noSubdir: true,
    maxDbs: 1,
    mapSize: OWNER_MAP_SIZE,
    eventTurnBatching: false,
  });
  let read: Transaction;
  try {
    read = withoutWaiting(() => root.useReadTransaction());
  } catch (error) {
    void root.close();
    throw error === SAME_ID ? inUse(directory, "a process of another container with the same id") : error;
  }
  const owner: Owner = {
    async release() {
      read.done();
      await root.close();
    },
  };
  const others = otherReaders(root);
  if (others.length === 0) return owner;
  void owner.release();
  throw inUse(directory, `process ${others.join(", ")}`);
}

const SAME_ID = new Error("the entry of this process is another's");

/**
 * Two containers with one directory may each have a process of this id. LMDB does not let the second one in; the package then waits ten
 * seconds, in which nothing else runs, and ends the process.
 */
function withoutWaiting<T>(read: () => T): T {
  const { wait } = Atomics;
  Atomics.wait = () => {
    throw SAME_ID;
  };
  try {
    return read();
  } finally {
    Atomics.wait = wait;
  }
}

/** Ownership of a directory, until it is released or the process ends. */
export interface Owner {
  release(): Promise<void>;
}

/** The error of opening a directory that is open. */
export function inUse(directory: string, by: string): StoreError {
  return new StoreError("in_use", `the store in ${directory} is open in ${by}`);
}
