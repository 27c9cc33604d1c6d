// A directory with those above it, for its owner alone. Step by step: below some file systems, such as procfs, Node's own recursive way
// never ends.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeDirectory(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}
