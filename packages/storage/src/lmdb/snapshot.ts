// Reads of one moment. Everything read through a snapshot, in one turn or over many, is the state of one commit.

import type { Transaction } from "lmdb";
import { compactedError, futureError, StoreError } from "../error.ts";
import { checkRevision } from "../operations.ts";
import type { Change, Changes, Entry, Revision } from "../store.ts";
import type { Past } from "../watch/hub.ts";
import { decodeCount, encodeDirectory, isDirectory } from "./counts.ts";
import type { Environment, Table } from "./environment.ts";
import { decodeState, EMPTY, STATE_KEY, type State } from "./format.ts";
import {
  decodeKey,
  decodePlace,
  decodePointer,
  encodeKey,
  encodePlace,
  entryOf,
  keyOf,
  keyStartsWith,
  type Pointer,
  previousOf,
  type VersionPlace,
} from "./record.ts";

/** The number of keys that are read before others get a turn. */
const PART = 1_000;
/** The number of changes of history that a watch reads at once. */
const PAST_CHANGES = 1_000;
const PAST_BYTES = 8 * 1024 * 1024;

/** The package's types leave out the options. */
type Get = (key: Uint8Array, options: { transaction: Transaction }) => Uint8Array | undefined;

export class Snapshot {
  readonly #environment: Environment;
  readonly #transaction: Transaction;
  readonly #options: { readonly transaction: Transaction };
  readonly state: State;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#transaction = environment.root.useReadTransaction();
    this.#options = { transaction: this.#transaction };
    const state = this.#get(environment.tables.meta, STATE_KEY);
    this.state = state === undefined ? EMPTY : decodeState(state);
  }

  done(): void {
    this.#transaction.done();
  }

  /** The revision to read at: the requested one if it can be read, else the last. */
  readRevision(revision: Revision | undefined): Revision {
    if (revision === undefined) return this.state.head;
    checkRevision(revision, 1);
    if (revision > this.state.head) throw futureError(revision, this.state.head);
    if (revision < this.state.compacted) throw compactedError(revision, this.state.compacted);
    return revision;
  }

  pointer(key: string): Pointer | undefined {
    const bytes = this.#get(this.#environment.tables.live, encodeKey(key));
    return bytes === undefined ? undefined : decodePointer(bytes);
  }

  /** The entry of a key at a revision. */
  entry(key: string, revision: Revision): Entry | undefined {
    const pointer = this.pointer(key);
    return pointer === undefined ? undefined : this.#entryAt(pointer, revision, key);
  }

  /** The entry written at a place; undefined for a deletion, and for a version that a compaction removed. */
  entryAtPlace(place: VersionPlace): Entry | undefined {
    const bytes = this.#version(place);
    return bytes === undefined ? undefined : entryOf(bytes, place.revision);
  }

  /** Up to `limit` entries of the prefix behind `after`, and one more to know whether there are more. */
  async list(prefix: string, revision: Revision, limit: number, after: string | undefined): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (let next = after; ; ) {
      const part = this.#pointers(prefix, next);
      for (const { key, value } of part) {
        const entry = this.#entryAt(decodePointer(value), revision, decodeKey(key));
        if (entry !== undefined) entries.push(entry);
        if (entries.length > limit) return entries;
      }
      if (part.length < PART) return entries;
      next = decodeKey(part[part.length - 1]!.key);
      await otherTurns();
    }
  }

  /** Live keys of the prefix behind `after`; for a whole directory now, one record says it. */
  async count(prefix: string, revision: Revision, after?: string): Promise<number> {
    if (revision === this.state.head && after === undefined && isDirectory(prefix)) {
      return this.directoryCount(prefix);
    }
    let count = 0;
    for (let next = after; ; ) {
      const part = this.#pointers(prefix, next);
      for (const { value } of part) if (this.#isLiveAt(decodePointer(value), revision)) count += 1;
      if (part.length < PART) return count;
      next = decodeKey(part[part.length - 1]!.key);
      await otherTurns();
    }
  }

  directoryCount(directory: string): number {
    return decodeCount(this.#get(this.#environment.tables.counts, encodeDirectory(directory)));
  }

  /** The next part of history behind `after`. */
  past(prefix: string, after: Revision, previous: boolean): Past {
    const { head, compacted } = this.state;
    if (after < compacted) throw compactedError(after + 1, compacted);
    const wanted = encodeKey(prefix);
    const batches: { type: "changes"; revision: Revision; changes: Change[] }[] = [];
    let seen = after;
    let bytes = 0;
    let changes = 0;
    const range = this.#environment.tables.log.getRange({
      start: encodePlace({ revision: after + 1, order: 0 }),
      transaction: this.#transaction,
    });
    for (const { key, value } of range) {
      const { revision } = decodePlace(key);
      // Only whole transactions are delivered.
      if (revision !== seen && (changes >= PAST_CHANGES || bytes >= PAST_BYTES)) return { batches, through: seen };
      seen = revision;
      changes += 1;
      bytes += value.byteLength;
      if (!keyStartsWith(value, wanted)) continue;
      const change = this.#change(value, revision, previous);
      const last = batches.at(-1);
      if (last?.revision === revision) last.changes.push(change);
      else batches.push({ type: "changes", revision, changes: [change] });
    }
    return { batches: batches as Changes[], through: head };
  }

  #change(version: Uint8Array, revision: Revision, previous: boolean): Change {
    const entry = entryOf(version, revision);
    const before = previous ? previousOf(version) : undefined;
    const old = before === undefined ? undefined : this.entryAtPlace(before);
    if (entry !== undefined) return { type: "put", key: entry.key, entry, previous: old };
    return { type: "delete", key: keyOf(version), previous: old };
  }

  #pointers(prefix: string, after: string | undefined): { key: Uint8Array; value: Uint8Array }[] {
    const end = endOf(encodeKey(prefix));
    const range = this.#environment.tables.live.getRange({
      ...(after === undefined
        ? prefix === ""
          ? {}
          : { start: encodeKey(prefix) }
        : { start: encodeKey(after), exclusiveStart: true }),
      ...(end === undefined ? {} : { end }),
      limit: PART,
      transaction: this.#transaction,
    });
    return Array.from(range);
  }

  /** Follows the chain of versions back to the one at `revision`. */
  #entryAt(pointer: Pointer, revision: Revision, key: string): Entry | undefined {
    if (pointer.revision <= revision && !pointer.live) return undefined;
    for (let place: VersionPlace | undefined = pointer; place !== undefined; ) {
      const bytes = this.#version(place);
      if (place.revision <= revision) {
        if (bytes === undefined && place === pointer) throw missing(key, place);
        return bytes === undefined ? undefined : entryOf(bytes, place.revision, key);
      }
      // A compaction removes the end of a chain, never its middle.
      place = bytes === undefined ? undefined : previousOf(bytes);
    }
    return undefined;
  }

  #isLiveAt(pointer: Pointer, revision: Revision): boolean {
    for (let place: VersionPlace | undefined = pointer; place !== undefined; ) {
      if (place === pointer && place.revision <= revision) return pointer.live;
      const bytes = this.#version(place);
      if (bytes === undefined) return false;
      if (place.revision <= revision) return bytes[0] === 1;
      place = previousOf(bytes);
    }
    return false;
  }

  #version(place: VersionPlace): Uint8Array | undefined {
    return this.#get(this.#environment.tables.log, encodePlace(place));
  }

  /** The value in a buffer that holds it until the next call, and is longer than its `length`. */
  #get(table: Table, key: Uint8Array): Uint8Array | undefined {
    return (table.getBinaryFast as Get).call(table, key, this.#options);
  }
}

/** The first key behind every key that starts with these bytes; undefined if no key can follow. */
function endOf(prefix: Buffer): Buffer | undefined {
  const last = prefix.findLastIndex((byte) => byte < 0xff);
  if (last < 0) return undefined;
  const end = Buffer.from(prefix.subarray(0, last + 1));
  end[last]! += 1;
  return end;
}

function missing(key: string, { revision }: VersionPlace): StoreError {
  return new StoreError("corrupt", `the value of ${JSON.stringify(key)} at revision ${revision} is missing`);
}

function otherTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
