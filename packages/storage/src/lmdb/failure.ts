// The meaning of LMDB's and the system's errors for users of the store.

import { statfsSync } from "node:fs";
import { StoreError } from "../error.ts";
import { messageOf } from "../thrown-message.ts";

const MDB_MAP_FULL = -30792;
const MDB_CORRUPTED = -30796;
const MDB_PAGE_NOTFOUND = -30797;
const MDB_INVALID = -30793;
const MDB_VERSION_MISMATCH = -30794;
const MDB_INCOMPATIBLE = -30784;
const ENOSPC = 28;
const EDQUOT = 122;
const DENIED = [1, 13, 30]; // EPERM, EACCES, EROFS

/** Bytes that may be written on the file system of a path; infinite when it does not say. */
export function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

export function noSpace(directory: string, cause?: unknown): StoreError {
  return new StoreError("no_space", `no space left for the store in ${directory}`, { cause });
}

/** The error of a commit. LMDB reports a write cut short as EIO, which on a full disk means that. */
export async function commitFailure(error: unknown, directory: string, needed: number): Promise<StoreError> {
  const cause = await causeOf(error);
  const code = codeOf(cause);
  if (code === ENOSPC || code === EDQUOT || code === MDB_MAP_FULL || freeBytes(directory) < needed) {
    return noSpace(directory, cause);
  }
  const message = `writing the store in ${directory} failed: ${messageOf(cause)}`;
  return new StoreError("unavailable", message, { cause, outcomeUnknown: true });
}

/** The error of opening. */
export function openFailure(error: unknown, directory: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const why = messageOf(error);
  if (typeof code === "number" && DENIED.includes(code)) {
    return new StoreError("denied", `the store in ${directory} cannot be opened for writing: ${why}`, { cause: error });
  }
  if (code === ENOSPC || code === EDQUOT) return noSpace(directory, error);
  if (code === MDB_CORRUPTED || code === MDB_PAGE_NOTFOUND || code === MDB_INCOMPATIBLE) {
    return new StoreError("corrupt", `the store in ${directory} is damaged: ${why}`, { cause: error });
  }
  if (code === MDB_INVALID) {
    return new StoreError("foreign", `${directory} is not a store: ${why}`, { cause: error });
  }
  if (code === MDB_VERSION_MISMATCH) {
    return new StoreError("format", `the store in ${directory} was written by another version of LMDB: ${why}`, {
      cause: error,
    });
  }
  return new StoreError("unavailable", `the store in ${directory} cannot be opened: ${why}`, { cause: error });
}

/** The error of reading: LMDB finds damage, or there are no records where they should be. */
export function readFailure(error: unknown, directory: string): unknown {
  const code = codeOf(error);
  const isDamage = error instanceof RangeError || (typeof code === "number" && code < 0);
  if (error instanceof StoreError || !isDamage) return error;
  return new StoreError("corrupt", `the store in ${directory} is damaged: ${messageOf(error)}`, { cause: error });
}

/** The error of writing a copy. */
export function writeFailure(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const code = codeOf(error);
  const why = messageOf(error);
  if (code === ENOSPC || code === EDQUOT) {
    return new StoreError("no_space", `no space left to write ${path}`, { cause: error });
  }
  if (typeof code === "number" && DENIED.includes(code)) {
    return new StoreError("denied", `${path} cannot be written: ${why}`, { cause: error });
  }
  if (typeof code === "number" && code < 0) return openFailure(error, path);
  return new StoreError("unavailable", `${path} cannot be written: ${why}`, { cause: error });
}

/** The package rejects with an error whose `commitError` rejects with the reason. */
async function causeOf(error: unknown): Promise<unknown> {
  const reason = (error as { commitError?: Promise<unknown> } | undefined)?.commitError;
  if (reason === undefined) return error;
  return Promise.race([reason, new Promise((resolve) => setTimeout(resolve, 1_000, error))]).catch(
    (cause: unknown) => cause,
  );
}

/** An errno or LMDB's number; system errors of Node carry theirs negated. */
function codeOf(error: unknown): number | string | undefined {
  const { code, errno } = (error ?? {}) as { code?: number | string; errno?: number };
  if (code === undefined) return SYSTEM_TEXTS.find(([text]) => messageOf(error).startsWith(text))?.[1];
  return typeof code === "string" && typeof errno === "number" ? Math.abs(errno) : code;
}

/** Copies are made in a thread of the package that passes on the system's text, not its number. */
const SYSTEM_TEXTS = [
  ["No space left on device", ENOSPC],
  ["Disk quota exceeded", EDQUOT],
] as const;
