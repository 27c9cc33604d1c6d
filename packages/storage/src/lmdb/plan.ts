// Plans the changes of a group of transactions to the tables before anything is written: conditions are compared with the last commit and
// with the transactions planned before in the same group. Holds no state beyond the group.

import type { Change, Entry, Revision, StoreOperation, TransactionResult } from "../store.ts";
import { directoriesOf, encodeCount, encodeDirectory } from "./counts.ts";
import type { Put } from "./environment.ts";
import { encodeDue } from "./expiry.ts";
import { encodeState, STATE_KEY, type State } from "./format.ts";
import { encodeKey, encodePlace, encodePointer, encodeVersion, type Pointer } from "./record.ts";
import type { Snapshot } from "./snapshot.ts";

/** A transaction's changes; the entries before are read when a watch wants them. */
export interface PlannedChanges {
  readonly revision: Revision;
  readonly changes: readonly PlannedChange[];
}

interface PlannedChange {
  readonly change: Change;
  /** The key's former state, if it was live. */
  readonly before: Head | undefined;
}

interface Head {
  readonly pointer: Pointer;
  /** The entry, when this group wrote it. */
  readonly entry: Entry | undefined;
}

export class Plan {
  readonly #snapshot: Snapshot;
  readonly #now: () => number;
  readonly #puts: Put[] = [];
  readonly #planned: PlannedChanges[] = [];
  readonly #heads = new Map<string, Head | undefined>();
  readonly #grown = new Map<string, number>();
  #head: Revision;
  #bytes = 0;
  #changesExpiry = false;

  constructor(snapshot: Snapshot, now: () => number) {
    this.#snapshot = snapshot;
    this.#now = now;
    this.#head = snapshot.state.head;
  }

  get planned(): readonly PlannedChanges[] {
    return this.#planned;
  }

  /** About how much the group writes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a key gets or loses a time at which it expires. */
  get changesExpiry(): boolean {
    return this.#changesExpiry;
  }

  get state(): State {
    return { ...this.#snapshot.state, head: this.#head };
  }

  /** Plans one transaction; the answer holds once the group is committed. */
  add(operations: readonly StoreOperation[]): TransactionResult {
    const fits = operations.every(({ key, ifRevision }) => {
      if (ifRevision === undefined) return true;
      const pointer = this.#headOf(key)?.pointer;
      return ifRevision === (pointer?.live ? pointer.revision : 0);
    });
    if (!fits) {
      return { written: false, revision: this.#head, current: operations.map(({ key }) => this.#current(key)) };
    }
    const revision = this.#head + 1;
    const changes: PlannedChange[] = [];
    for (const operation of operations) {
      const change = this.#change(operation, revision, changes.length);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length > 0) {
      this.#head = revision;
      this.#planned.push({ revision, changes });
    }
    return { written: true, revision: this.#head };
  }

  /** Deletes keys that are due by `second`, in a transaction of their own. */
  expire(keys: readonly string[], second: number): void {
    const due = keys.filter((key) => {
      const pointer = this.#headOf(key)?.pointer;
      return pointer?.live === true && pointer.expires > 0 && pointer.expires <= second;
    });
    if (due.length > 0) this.add(due.map((key) => ({ op: "delete", key })));
  }

  /** Everything the group writes. */
  puts(): Put[] {
    const counts = [...this.#grown].flatMap(([directory, by]): Put[] => {
      if (by === 0) return [];
      const count = this.#snapshot.directoryCount(directory) + by;
      return [
        { table: "counts", key: encodeDirectory(directory), value: count === 0 ? undefined : encodeCount(count) },
      ];
    });
    return [...this.#puts, ...counts, { table: "meta", key: STATE_KEY, value: encodeState(this.state) }];
  }

  /** A transaction's changes with the entries before them, while the snapshot is open. */
  withPrevious({ changes }: PlannedChanges): Change[] {
    return changes.map(({ change, before }) =>
      before === undefined ? change : { ...change, previous: this.#entryOf(before) },
    );
  }

  #change(operation: StoreOperation, revision: Revision, order: number): PlannedChange | undefined {
    if (operation.op === "check") return undefined;
    const { key } = operation;
    const head = this.#headOf(key);
    const before = head?.pointer;
    if (operation.op === "delete" && before?.live !== true) return undefined;
    const value = operation.op === "put" ? operation.value : undefined;
    const ttl = operation.op === "put" ? operation.ttl : undefined;
    const pointer: Pointer = {
      revision,
      order,
      live: value !== undefined,
      createRevision: before?.live ? before.createRevision : revision,
      version: (before?.live ? before.version : 0) + 1,
      expires: ttl === undefined ? 0 : Math.ceil(this.#now() / 1000 + ttl),
    };
    this.#write(key, pointer, value, before);
    const replaced = before?.live ? head : undefined;
    if (value === undefined) {
      this.#heads.set(key, { pointer, entry: undefined });
      return { change: { type: "delete", key }, before: replaced };
    }
    const entry: Entry = {
      key,
      value,
      createRevision: pointer.createRevision,
      modRevision: revision,
      version: pointer.version,
    };
    this.#heads.set(key, { pointer, entry });
    return { change: { type: "put", key, entry }, before: replaced };
  }

  #write(key: string, pointer: Pointer, value: Uint8Array | undefined, before: Pointer | undefined): void {
    const bytes = encodeKey(key);
    const version = encodeVersion({ ...pointer, key, value, previous: before }, bytes);
    this.#bytes += version.byteLength + bytes.byteLength;
    this.#puts.push({ table: "log", key: encodePlace(pointer), value: version });
    this.#puts.push({ table: "live", key: bytes, value: encodePointer(pointer) });
    if (pointer.expires > 0 || (before !== undefined && before.expires > 0)) this.#changesExpiry = true;
    if (before !== undefined && before.expires > 0) {
      this.#puts.push({ table: "expiry", key: encodeDue(before.expires, bytes), value: undefined });
    }
    if (pointer.expires > 0) {
      this.#puts.push({ table: "expiry", key: encodeDue(pointer.expires, bytes), value: new Uint8Array(1) });
    }
    const grown = (pointer.live ? 1 : 0) - (before?.live ? 1 : 0);
    if (grown === 0) return;
    for (const directory of directoriesOf(key)) {
      this.#grown.set(directory, (this.#grown.get(directory) ?? 0) + grown);
    }
  }

  #headOf(key: string): Head | undefined {
    if (this.#heads.has(key)) return this.#heads.get(key);
    const pointer = this.#snapshot.pointer(key);
    const head = pointer === undefined ? undefined : { pointer, entry: undefined };
    this.#heads.set(key, head);
    return head;
  }

  #current(key: string): Entry | undefined {
    const head = this.#headOf(key);
    return head === undefined || !head.pointer.live ? undefined : this.#entryOf(head);
  }

  #entryOf({ pointer, entry }: Head): Entry | undefined {
    return entry ?? this.#snapshot.entryAtPlace(pointer);
  }
}
