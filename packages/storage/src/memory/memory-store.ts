// The store in memory. A write is applied at once, so calls take effect in the order they are made; history stays until a compaction.

import { type Clock, systemClock } from "../clock.ts";
import { closedError, compactedError, futureError } from "../error.ts";
import {
  checkKey,
  checkOperations,
  checkPrefix,
  checkRevision,
  defaultLimits,
  type TransactionLimits,
} from "../operations.ts";
import type {
  Change,
  Changes,
  Counted,
  Entry,
  Got,
  ListKeysOptions,
  Page,
  Revision,
  Store,
  StoreOperation,
  TransactionResult,
  Watch,
  WatchKeysOptions,
} from "../store.ts";
import { Hub, type HubOptions, type Past } from "../watch/hub.ts";
import { Expiry } from "./expiry.ts";
import { Record } from "./record.ts";
import { SortedKeys } from "./sorted-keys.ts";

/** Options for a store in memory. */
export interface MemoryOptions extends HubOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<TransactionLimits>;
  /** The first revision; earlier ones count as compacted. */
  readonly revision?: Revision;
}

/** A store in memory; nothing is kept when the process ends. */
export function openMemory(options: MemoryOptions = {}): Store {
  return new MemoryStore(options);
}

/** The number of changes of history that one reading of a watch covers. */
const PAST_PART = 1_000;

class MemoryStore implements Store {
  readonly #limits: TransactionLimits;
  readonly #records = new Map<string, Record>();
  readonly #keys = new SortedKeys<Record>();
  /** One batch for each revision behind `#compacted`. */
  #log: Changes[] = [];
  #revision: Revision;
  #compacted: Revision;
  readonly #hub: Hub;
  readonly #expiry: Expiry;
  #closed = false;

  constructor(options: MemoryOptions) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#revision = options.revision ?? 1;
    this.#compacted = this.#revision - 1;
    this.#hub = new Hub(this.#revision, (prefix, after) => this.#past(prefix, after), options);
    this.#expiry = new Expiry(options.clock ?? systemClock, (keys) => {
      this.#apply(keys.map((key) => ({ op: "delete", key })));
    });
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return this.#revision;
  }

  async get(key: string, options: { readonly revision?: Revision } = {}): Promise<Got> {
    this.#checkOpen();
    checkKey(key);
    const revision = this.#readRevision(options.revision);
    return { revision, entry: this.#entryAt(this.#records.get(key), revision) };
  }

  async list(prefix: string, options: ListKeysOptions = {}): Promise<Page> {
    this.#checkOpen();
    checkPrefix(prefix);
    if (options.after !== undefined) checkKey(options.after);
    const revision = this.#readRevision(options.revision);
    const limit = options.limit || Number.POSITIVE_INFINITY;
    const entries: Entry[] = [];
    let more = false;
    for (const record of this.#keys.from(prefix, options.after)) {
      const entry = this.#entryAt(record, revision);
      if (entry === undefined) continue;
      more = entries.length >= limit;
      if (more) break;
      entries.push(entry);
    }
    if (options.remaining !== true) return { revision, entries, more };
    const remaining = more ? this.#countAt(prefix, revision, entries.at(-1)!.key) : 0;
    return { revision, entries, more, remaining };
  }

  async count(prefix: string, options: { readonly revision?: Revision } = {}): Promise<Counted> {
    this.#checkOpen();
    checkPrefix(prefix);
    const revision = this.#readRevision(options.revision);
    return { revision, count: this.#countAt(prefix, revision) };
  }

  async write(operations: readonly StoreOperation[]): Promise<TransactionResult> {
    this.#checkOpen();
    checkOperations(operations, this.#limits);
    const fits = operations.every(({ key, ifRevision }) => {
      return ifRevision === undefined || ifRevision === (this.#records.get(key)?.current?.modRevision ?? 0);
    });
    if (!fits) {
      const current = operations.map(({ key }) => this.#records.get(key)?.current);
      return { written: false, revision: this.#revision, current };
    }
    this.#apply(operations);
    return { written: true, revision: this.#revision };
  }

  watch(prefix: string, options: WatchKeysOptions = {}): Watch {
    return this.#hub.watch(prefix, options);
  }

  async requestProgress(): Promise<void> {
    this.#checkOpen();
    this.#hub.requestProgress();
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    if (revision <= this.#compacted) return;
    const dropped = this.#log.findIndex((batch) => batch.revision > revision);
    const old = this.#log.splice(0, dropped < 0 ? this.#log.length : dropped);
    this.#compacted = revision;
    for (const key of new Set(old.flatMap((batch) => batch.changes.map((change) => change.key)))) {
      if (this.#records.get(key)?.compact(revision) !== true) continue;
      this.#keys.remove(key);
      this.#records.delete(key);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#expiry.close();
    this.#hub.close();
  }

  #apply(operations: readonly StoreOperation[]): void {
    const revision = this.#revision + 1;
    const changes: Change[] = [];
    for (const operation of operations) {
      const change = this.#applyOne(operation, revision);
      if (change !== undefined) changes.push(change);
    }
    if (changes.length === 0) return;
    this.#revision = revision;
    const batch: Changes = { type: "changes", revision, changes };
    this.#log.push(batch);
    this.#hub.publish(batch);
  }

  #applyOne(operation: StoreOperation, revision: Revision): Change | undefined {
    if (operation.op === "check") return undefined;
    const { key } = operation;
    const record = this.#records.get(key);
    const previous = record?.current;
    if (operation.op === "delete") {
      if (record === undefined || previous === undefined) return undefined;
      record.add({ revision, entry: undefined });
      this.#keys.turn(key, -1);
      this.#expiry.set(key, undefined);
      return { type: "delete", key, previous };
    }
    const entry: Entry = {
      key,
      value: operation.value,
      createRevision: previous?.createRevision ?? revision,
      modRevision: revision,
      version: (previous?.version ?? 0) + 1,
    };
    if (record === undefined) {
      const created = new Record(key);
      created.add({ revision, entry });
      this.#records.set(key, created);
      this.#keys.add(created);
    } else {
      record.add({ revision, entry });
      if (previous === undefined) this.#keys.turn(key, 1);
    }
    this.#expiry.set(key, operation.ttl);
    return { type: "put", key, entry, previous };
  }

  #entryAt(record: Record | undefined, revision: Revision): Entry | undefined {
    return revision === this.#revision ? record?.current : record?.at(revision);
  }

  #countAt(prefix: string, revision: Revision, after?: string): number {
    if (revision === this.#revision) return this.#keys.countLive(prefix, after);
    let count = 0;
    for (const record of this.#keys.from(prefix, after)) if (record.at(revision) !== undefined) count += 1;
    return count;
  }

  #past(prefix: string, after: Revision): Past {
    if (after < this.#compacted) throw compactedError(after + 1, this.#compacted);
    const start = Math.max(0, this.#log.length - (this.#revision - after));
    const part = this.#log.slice(start, start + PAST_PART);
    const batches = part.flatMap((batch): Changes[] => {
      const changes = batch.changes.filter((change) => change.key.startsWith(prefix));
      if (changes.length === 0) return [];
      return [changes.length === batch.changes.length ? batch : { ...batch, changes }];
    });
    return { batches, through: part.at(-1)?.revision ?? this.#revision };
  }

  #readRevision(revision: Revision | undefined): Revision {
    if (revision === undefined) return this.#revision;
    checkRevision(revision, 1);
    if (revision > this.#revision) throw futureError(revision, this.#revision);
    if (revision < this.#compacted) throw compactedError(revision, this.#compacted);
    return revision;
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}
