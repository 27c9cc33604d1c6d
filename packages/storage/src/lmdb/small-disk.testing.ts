// A file system of 8 MB for tests of full and read-only disks, where this process may mount one.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Its directory, with a file `filler` of 2 MB to remove; undefined where none can be mounted. Gone after the tests. */
export function smallDisk(): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), "celadon-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", directory], { stdio: "ignore" });
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  writeFileSync(join(directory, "filler"), Buffer.alloc(2_000_000));
  afterAll(() => {
    execFileSync("umount", ["-l", directory]);
    rmSync(directory, { recursive: true });
  });
  return directory;
}

/** Runs something while nothing can be written to the disk. */
export async function readOnly(disk: string, run: () => Promise<void>): Promise<void> {
  execFileSync("mount", ["-o", "remount,ro", disk]);
  try {
    await run();
  } finally {
    execFileSync("mount", ["-o", "remount,rw", disk]);
  }
}
