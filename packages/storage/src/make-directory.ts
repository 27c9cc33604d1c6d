// A directory with those above it, for its owner alone: `@celadon/storage/directory`.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a directory, step by step: Node's own recursive way hides a read-only file system, and never ends below some others, such as
 * procfs. Adds new directories to `made`.
 */
export function makeDirectory(directory: string, made: string[] = []): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(directory) === directory) throw error;
    makeDirectory(dirname(directory), made);
    mkdirSync(directory, { mode: 0o700 });
  }
  made.push(directory);
}
