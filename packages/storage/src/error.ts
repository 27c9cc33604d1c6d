// The errors of stores. Callers decide by `code`; the message is for people.

import type { Revision } from "./store.ts";

/** The kind of a failure, for programs. */
export type StoreErrorCode =
  /** The store was closed. */
  | "closed"
  /** The requested revision was removed by a compaction; `compactRevision` is the oldest that can be read. */
  | "compacted"
  /** The requested revision does not exist yet. */
  | "future_revision"
  /** The call makes no sense: an empty key, a key twice in one transaction. */
  | "invalid"
  /** A key or a transaction exceeds the store's limits. */
  | "too_large"
  /** The store cannot be reached or does not answer in time. */
  | "unavailable"
  /** The disk or the store's quota is full. */
  | "no_space"
  /** The store may not be read or written by this user. */
  | "denied"
  /** The directory is open in another process, or twice in this one. */
  | "in_use"
  /** There is no store to read. */
  | "absent"
  /** The target exists and would be overwritten. */
  | "exists"
  /** The files are damaged. */
  | "corrupt"
  /** The files belong to something else. */
  | "foreign"
  /** The files were written by another version in a format this one does not know. */
  | "format";

/** A failure of a store. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly compactRevision: Revision | undefined;
  /** True when a write may have been applied although no answer came. */
  readonly outcomeUnknown: boolean;

  constructor(
    code: StoreErrorCode,
    message: string,
    more: { cause?: unknown; compactRevision?: Revision; outcomeUnknown?: boolean } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "StoreError";
    this.code = code;
    this.compactRevision = more.compactRevision;
    this.outcomeUnknown = more.outcomeUnknown ?? false;
  }
}

/** Whether an error is one of a store, and of that code. */
export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code);
}

export function closedError(): StoreError {
  return new StoreError("closed", "the store is closed");
}

export function compactedError(revision: Revision, compactRevision: Revision): StoreError {
  return new StoreError("compacted", `revision ${revision} was compacted; the oldest is ${compactRevision}`, {
    compactRevision,
  });
}

export function futureError(revision: Revision, head: Revision): StoreError {
  return new StoreError("future_revision", `revision ${revision} does not exist yet; the last is ${head}`);
}
