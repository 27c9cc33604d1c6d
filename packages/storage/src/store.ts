// The store every implementation answers as: keys with revisions, transactions, reads of the past, watches. Rules for all of them are
// stated here and tested by contract/.

/** A point in the store's history. Every transaction that changes something takes the next one; an empty store is at 1. */
export type Revision = number;

/** A key's value and where it stands in history. Keys start with a slash. Neither the store nor its users change the bytes. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** The revision that created the key, since it was last absent. */
  readonly createRevision: Revision;
  /** The revision that wrote this value. */
  readonly modRevision: Revision;
  /** The number of writes of the key since it was created; 1 for a new key. */
  readonly version: number;
}

/**
 * One step of a transaction. `ifRevision` is the modification revision the key must have, 0 when it must be absent; without it the
 * step has no condition. `ttl` removes the key after that many seconds unless it is written again (then the new `ttl` holds, or none).
 */
export type StoreOperation =
  | {
      readonly op: "put";
      readonly key: string;
      readonly value: Uint8Array;
      readonly ifRevision?: Revision;
      readonly ttl?: number;
    }
  | { readonly op: "delete"; readonly key: string; readonly ifRevision?: Revision }
  | { readonly op: "check"; readonly key: string; readonly ifRevision: Revision };

/**
 * The result of a transaction. The `revision` of a write is the one it made (or the store's, if nothing changed: deleting an absent key).
 * When a condition failed nothing was written, and `current` holds the entry of each operation's key, in their order.
 */
export type TransactionResult =
  | { readonly written: true; readonly revision: Revision }
  | { readonly written: false; readonly revision: Revision; readonly current: readonly (Entry | undefined)[] };

/** The value of a key at a revision. */
export interface Got {
  /** The store's revision, or the requested one. */
  readonly revision: Revision;
  readonly entry: Entry | undefined;
}

/** The keys to list, and the revision to list them at. */
export interface ListKeysOptions {
  /** Read the store as it was then. */
  readonly revision?: Revision;
  /** The most entries of one page; all of them when absent or 0. */
  readonly limit?: number;
  /** Start behind this key: the last one of the page before. Give that page's `revision` as well, and pages fit together. */
  readonly after?: string;
  /** Say how many entries follow this page. */
  readonly remaining?: boolean;
}

/** Keys and values, up to the limit of the request. */
export interface Page {
  /** The revision the page was read at. */
  readonly revision: Revision;
  /** In the order of the keys' UTF-8 bytes. */
  readonly entries: readonly Entry[];
  /** True when there are entries behind this page. */
  readonly more: boolean;
  readonly remaining?: number;
}

/** The number of keys at a revision. */
export interface Counted {
  readonly revision: Revision;
  readonly count: number;
}

/** A change of a key. `previous` is the entry before it, if the watch requests it; a created key has none. */
export type Change =
  | { readonly type: "put"; readonly key: string; readonly entry: Entry; readonly previous?: Entry | undefined }
  | { readonly type: "delete"; readonly key: string; readonly previous?: Entry | undefined };

/** The changes of one transaction to keys of the prefix, in the order of its operations. */
export interface Changes {
  readonly type: "changes";
  readonly revision: Revision;
  readonly changes: readonly Change[];
}

/**
 * A message of a watch. `progress`: everything up to `revision` was delivered. `behind`: the watcher read too slowly for the changes kept
 * in memory; the next changes come from history, without a gap.
 */
export type Notice =
  | Changes
  | { readonly type: "progress"; readonly revision: Revision }
  | { readonly type: "behind"; readonly revision: Revision };

/** From which revision on changes are delivered. */
export interface WatchKeysOptions {
  /** The first revision to deliver; by default the next one. A watch from a future revision waits for it. */
  readonly from?: Revision;
  /** Deliver the entry before each change as well. After a compaction it may be missing from older changes. */
  readonly previous?: boolean;
  /** Deliver progress notices: after `requestProgress`, and from time to time on quiet prefixes. */
  readonly progress?: boolean;
}

/**
 * Every change once, in order. Iteration ends after `close`; it throws a StoreError when changes can no longer be delivered:
 * `compacted` when history was removed that was not yet read, `closed` when the store was closed.
 */
export interface Watch extends AsyncIterableIterator<Notice> {
  next(): Promise<IteratorResult<Notice, undefined>>;
  return(): Promise<IteratorResult<Notice, undefined>>;
  close(): void;
}

/** Keys with revisions, transactions and watches. Reads see all writes that were answered. */
export interface Store {
  /** The revision of the last transaction. Like every read, it sees all writes acknowledged before the call. */
  revision(): Promise<Revision>;
  get(key: string, options?: { readonly revision?: Revision }): Promise<Got>;
  /** Entries whose key starts with `prefix`; empty for all. */
  list(prefix: string, options?: ListKeysOptions): Promise<Page>;
  /** Counts the keys that start with `prefix`, without reading their values. */
  count(prefix: string, options?: { readonly revision?: Revision }): Promise<Counted>;
  /** All operations at one revision, or none; each key at most once. Resolves when the write is as durable as the store can make it. */
  write(operations: readonly StoreOperation[]): Promise<TransactionResult>;
  watch(prefix: string, options?: WatchKeysOptions): Watch;
  /** Asks that every watch with `progress` be sent a notice at the current revision or later, behind its pending changes. */
  requestProgress(): Promise<void>;
  /** Forgets versions superseded at or before `revision`; reads before it and watches from it are then `compacted`. */
  compact(revision: Revision): Promise<void>;
  /** Finishes writes under way, ends watches, releases everything. Later calls are `closed`. */
  close(): Promise<void>;
}
