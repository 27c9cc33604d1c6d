// Data and keys of a server belong to one user: any other user who may write them is the server's administrator, or puts links in their
// place.

import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { UsageError } from "../program/exit.ts";

// A group is a decision of the operator: volumes in a cluster belong to the group of their pod.
const OTHERS_WRITE = 0o002;
const OTHERS_READ = 0o004;
const KEY = /\.key$/;

/** Refuses a data directory, its keys or its store where others may write them, and keys that others may read. */
export function checkOwnDirectory(directory: string): void {
  // Windows has no modes of this kind.
  if (process.platform === "win32") return;
  checkWrites(directory, statSync(directory));
  for (const name of ["pki", "store"]) {
    const path = join(directory, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) checkWrites(path, stats);
  }
  const keys = join(directory, "pki");
  if (lstatSync(keys, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(keys)) {
    const path = join(keys, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    checkWrites(path, stats);
    if (KEY.test(name) && (stats.mode & OTHERS_READ) !== 0)
      throw new UsageError(
        `other users may read "${path}"`,
        `chmod o= "${path}", or remove the directory to get new keys`,
      );
  }
}

function checkWrites(path: string, { mode, uid }: Stats): void {
  const own = userInfo().uid;
  if (own !== 0 && uid !== own && uid !== 0)
    throw new UsageError(`"${path}" belongs to another user`, "use a directory of your own");
  if ((mode & OTHERS_WRITE) !== 0)
    throw new UsageError(
      `other users may write "${path}"`,
      `chmod o-w "${path}" after a look at its contents, or use a directory below it`,
    );
}
