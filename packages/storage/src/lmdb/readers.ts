// Other processes that read a file of LMDB.

import type { RootDatabase } from "lmdb";

/** The ids of the other processes in LMDB's table of readers; entries of processes that ended are removed. Enters this process, too. */
export function otherReaders(root: RootDatabase<Uint8Array, Uint8Array>): number[] {
  root.useReadTransaction().done();
  root.readerCheck();
  const rows = root.readerList().split("\n");
  const pids = rows.flatMap((row) => /^\s*(\d+)\s/.exec(row)?.slice(1, 2).map(Number) ?? []);
  return pids.filter((pid) => pid !== process.pid);
}
