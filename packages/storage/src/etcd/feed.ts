// The one watch of etcd that all watchers of a store share: all keys, from the moment the store was opened. It is opened again, at another
// member if necessary, right behind the last delivered event, so no event is missing or comes twice.

import { StoreError } from "../error.ts";
import type { Change, Changes, Entry } from "../store.ts";
import type { Client } from "./client.ts";
import type { CallFailure } from "./connection.ts";
import type { Keys } from "./keys.ts";
import type { KeyValue, WatchEvent } from "./messages.ts";
import { WatchStream } from "./watch-stream.ts";

export interface FeedEvents {
  readonly changes: (batch: Changes) => void;
  /** Everything up to this revision was delivered. */
  readonly progress: (revision: number) => void;
  /** The next changes were compacted before they were delivered. */
  readonly compacted: (error: StoreError) => void;
}

const PAUSE = 50;
const LONGEST_PAUSE = 1_000;

export class Feed {
  readonly #client: Client;
  readonly #keys: Keys;
  readonly #on: FeedEvents;
  #delivered = 0;
  #stream: WatchStream | undefined;
  #pause = PAUSE;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(client: Client, keys: Keys, on: FeedEvents) {
    this.#client = client;
    this.#keys = keys;
    this.#on = on;
  }

  /** The last revision at which the watched range changed, as far as it was delivered. */
  get delivered(): number {
    return this.#delivered;
  }

  /** Delivers events after `revision`, at which the range must have changed. */
  start(revision: number): void {
    this.#delivered = revision;
    this.#open();
  }

  requestProgress(): void {
    this.#stream?.requestProgress();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stream?.close();
  }

  #open(): void {
    if (this.#closed) return;
    const create = { ...this.#keys.everything, startRevision: this.#delivered + 1, previous: true };
    this.#stream = new WatchStream(this.#client, create, {
      events: (events) => {
        this.#pause = PAUSE;
        for (const batch of batchesOf(events)) this.#deliver(batch);
      },
      progress: (revision) => {
        this.#pause = PAUSE;
        this.#on.progress(revision);
      },
      end: (failure) => this.#again(failure),
    });
  }

  #deliver({ revision, events }: Batch): void {
    this.#delivered = revision;
    const changes = changesOf(events, this.#keys, true);
    if (changes.length > 0) this.#on.changes({ type: "changes", revision, changes });
    else this.#on.progress(revision);
  }

  #again(failure: StoreError | CallFailure): void {
    if (this.#closed) return;
    if (failure instanceof StoreError && failure.code === "compacted") {
      this.#on.compacted(failure);
      return;
    }
    this.#timer = setTimeout(() => this.#open(), this.#pause);
    this.#timer.unref();
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}

/** The events of one transaction. */
export interface Batch {
  readonly revision: number;
  readonly events: readonly WatchEvent[];
}

export function batchesOf(events: readonly WatchEvent[]): Batch[] {
  const batches: { revision: number; events: WatchEvent[] }[] = [];
  for (const event of events) {
    const last = batches.at(-1);
    if (last?.revision === event.entry.modRevision) last.events.push(event);
    else batches.push({ revision: event.entry.modRevision, events: [event] });
  }
  return batches;
}

/** The changes of users' keys. */
export function changesOf(events: readonly WatchEvent[], keys: Keys, previous: boolean): Change[] {
  return events.flatMap(({ type, entry, previous: before }): Change[] => {
    if (entry.key.equals(keys.mark)) return [];
    const key = keys.decode(entry.key);
    const old = before === undefined || !previous ? undefined : entryOf(before, key);
    if (type === "delete") return [{ type, key, previous: old }];
    return [{ type, key, entry: entryOf(entry, key), previous: old }];
  });
}

export function entryOf({ value, createRevision, modRevision, version }: KeyValue, key: string): Entry {
  return { key, value, createRevision, modRevision, version };
}
