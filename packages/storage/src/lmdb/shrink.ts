// Gives disk space back. LMDB uses free pages again and never shortens its file, so the file is replaced by a copy without them.

import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { copy, syncDirectory } from "./copy.ts";
import { DATA_FILE, type Environment, openRoot } from "./environment.ts";
import { freeBytes } from "./failure.ts";
import { prepare, UNFINISHED_COPY } from "./open.ts";
import { whileAbsent } from "./presence.ts";
import { otherReaders } from "./readers.ts";

export interface Usage {
  readonly fileBytes: number;
  readonly usedBytes: number;
}

interface Stats {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
  readonly lastPageNumber: number;
  readonly free: Stats;
  readonly root: Stats;
}

export function usageOf({ root, tables }: Environment): Usage {
  const environment = root.getStats() as Stats;
  const trees = [
    environment.root,
    environment.free,
    ...Object.values(tables).map((table) => table.getStats() as Stats),
  ];
  const pages = trees.reduce(
    (sum, tree) => sum + tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages,
    2,
  );
  return {
    fileBytes: (environment.lastPageNumber + 1) * environment.pageSize,
    usedBytes: pages * environment.pageSize,
  };
}

/** True when more than half of the file is free, it is worth the work, and the copy fits on the disk. */
export function isWorthShrinking(usage: Usage, least: number, directory: string): boolean {
  const free = usage.fileBytes - usage.usedBytes;
  return free >= least && free > usage.usedBytes && freeBytes(directory) > usage.usedBytes * 2;
}

/**
 * Replaces the file. Nothing may be written meanwhile; `readsDone` waits for reads under way and keeps new ones back. Another process that
 * reads the file, such as a backup, keeps it as it is: the answer is then the old environment.
 */
export async function shrink(
  environment: Environment,
  directory: string,
  readsDone: () => Promise<void>,
): Promise<Environment> {
  const { root } = environment;
  if (otherReaders(root).length > 0) return environment;
  const unfinished = join(directory, UNFINISHED_COPY);
  try {
    await copy(root, unfinished);
  } catch {
    return environment; // no space for a copy: the file stays as it is
  }
  try {
    await readsDone();
    const replaced = await whileAbsent(directory, async () => {
      if (otherReaders(root).length > 0) return undefined;
      await root.close();
      renameSync(unfinished, join(directory, DATA_FILE));
      syncDirectory(directory);
      return prepare(openRoot(directory), directory);
    });
    return replaced ?? environment;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
