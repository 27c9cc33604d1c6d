// Files written all or not at all: that none is in the way is known before the first is written.

import { posix } from "node:path";
import { trimEndOf } from "@celadon/base";
import { writeFiles } from "../output/write.ts";
import { UsageError } from "../program/exit.ts";
import type { Io } from "../program/io.ts";

export interface OutFile {
  /** Within the directory. */
  readonly path: string;
  readonly text: string;
}

export async function writeOut(
  directory: string,
  files: readonly OutFile[],
  force: boolean,
  io: Io,
): Promise<readonly string[]> {
  const targets = files.map(({ path, text }) => ({ path: posix.join(directory, path), text }));
  const taken: string[] = [];
  for (const { path } of targets) {
    const kind = await io.files.kind(path);
    if (kind === "directory") throw new UsageError(`${path} is a directory`);
    if (kind !== undefined && !force) taken.push(path);
  }
  if (taken.length > 0) {
    const which = taken.length === 1 ? taken[0] : `${taken[0]} and ${taken.length - 1} more`;
    throw new UsageError(`${which} already ${taken.length === 1 ? "exists" : "exist"}`, "use --force to overwrite");
  }
  await writeFiles(new Map(targets.map(({ path, text }) => [path, text])), io);
  return targets.map(({ path }) => path);
}

/** Names for directories, each once. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const written = name
      .toLowerCase()
      .replace(/[^a-z0-9._-]+/g, "-")
      .replace(/^[.-]+/, "");
    const plain = trimEndOf(written, /[.-]/) || "suite";
    const count = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, count);
    return count === 1 ? plain : `${plain}-${count}`;
  });
}
