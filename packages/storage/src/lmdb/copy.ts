// Files that appear whole or not at all: written under another name, flushed, then moved into place.

import { randomUUID } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../error.ts";
import { DATA_FILE } from "./environment.ts";

/**
 * Copies the used pages, flushed when it resolves. LMDB copies a directory into a directory. Objects hold secrets: only the owner reads it.
 */
export async function copy(root: RootDatabase<Uint8Array, Uint8Array>, file: string): Promise<void> {
  const directory = `${file}.directory`;
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { mode: 0o700 });
  try {
    await root.backup(directory, true);
    renameSync(join(directory, DATA_FILE), file);
    chmodSync(file, 0o600);
    syncFile(file);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The name of a file that is being written to have another name. */
export function unfinishedName(file: string): string {
  return `${resolve(file)}.${randomUUID()}.unfinished`;
}

/** Removes the remains of an attempt, with LMDB's lock beside it; file and directory may be absent. */
export function removeUnfinished(file: string): void {
  for (const path of [file, `${file}-lock`]) {
    try {
      rmSync(path, { force: true });
    } catch {
      // It is not a folder.
    }
  }
}

/** Gives a finished file its name. Never overwrites: of two that do this at once, one fails. */
export function moveInto(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
    unlinkSync(unfinished);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw existsError(file);
    // Some file systems have no hard links.
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    if (existsSync(file)) throw existsError(file);
    renameSync(unfinished, file);
  }
  syncDirectory(dirname(file));
}

export function existsError(path: string): StoreError {
  return new StoreError("exists", `${path} exists already`);
}

export function syncFile(path: string): void {
  const file = openSync(path, "r");
  fsyncSync(file);
  closeSync(file);
}

/** Makes a rename last; a system that cannot open directories has no need of it. */
export function syncDirectory(path: string): void {
  let directory: number;
  try {
    directory = openSync(path, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(directory);
  } catch {
    // Windows cannot flush a directory.
  }
  closeSync(directory);
}
