// Delivers the events of a store to its watchers. Watchers of one prefix share one queue, so a change is held once for any number of
// watchers, and only until all have read it. The queue is bounded: a watcher that reads too slowly is notified and continues from history.

import { type Clock, systemClock } from "../clock.ts";
import { closedError, type StoreError } from "../error.ts";
import { checkPrefix, checkRevision } from "../operations.ts";
import type { Change, Changes, Revision, Watch, WatchKeysOptions } from "../store.ts";
import { Queue } from "./queue.ts";
import { Turn } from "./turn.ts";
import { Watcher } from "./watcher.ts";

/** Changes from a store's history: all of the prefix behind a revision, up to `through`. */
export interface Past {
  readonly batches: readonly Changes[];
  readonly through: Revision;
}

/** Reads the next part of history behind `after`. Throws `compacted` when that part is gone. */
export type ReadPast = (prefix: string, after: Revision, previous: boolean) => Past | Promise<Past>;

export interface HubOptions {
  readonly clock?: Clock;
  /** The number of changes that may wait for slow watchers of one prefix. */
  readonly maxQueuedChanges?: number;
  readonly maxQueuedBytes?: number;
  /** Milliseconds between unrequested progress notices. */
  readonly progressInterval?: number;
  /** Called when such notices are due, for a store that must find out how far it is; `requestProgress` of the hub unless given. */
  readonly progressDue?: () => void;
}

export class Hub {
  /** Everything up to here was published. */
  #head: Revision;
  readonly #past: ReadPast;
  readonly #clock: Clock;
  readonly #options: HubOptions;
  readonly #turn = new Turn();
  readonly #queues = new Map<string, Queue>();
  /** The lengths of the watched prefixes, so that a key finds its queues by a few lookups. */
  #lengths: number[] = [];
  #closed: StoreError | undefined;
  #stopTimer: (() => void) | undefined;

  constructor(head: Revision, past: ReadPast, options: HubOptions = {}) {
    this.#head = head;
    this.#past = past;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
  }

  get head(): Revision {
    return this.#head;
  }

  get watched(): boolean {
    return this.#queues.size > 0;
  }

  /** The changes of one transaction. Revisions only grow. */
  publish(batch: Changes): void {
    this.#head = batch.revision;
    if (this.#queues.size === 0) return;
    const [first] = batch.changes;
    if (batch.changes.length === 1 && first !== undefined) {
      for (const queue of this.#queuesOf(first.key)) queue.push(batch);
      return;
    }
    const parts = new Map<Queue, Change[]>();
    for (const change of batch.changes) {
      for (const queue of this.#queuesOf(change.key)) {
        const part = parts.get(queue);
        if (part === undefined) parts.set(queue, [change]);
        else part.push(change);
      }
    }
    for (const [queue, changes] of parts) queue.push({ type: "changes", revision: batch.revision, changes });
  }

  /** Everything up to `revision` was published, though it changed nothing that is watched here. */
  advance(revision: Revision): void {
    if (revision > this.#head) this.#head = revision;
  }

  watch(prefix: string, options: WatchKeysOptions = {}): Watch {
    checkPrefix(prefix);
    if (options.from !== undefined) checkRevision(options.from, 1);
    const queue = this.#closed === undefined ? this.#queueFor(prefix) : new Queue(prefix, this.#head, {});
    const watcher = new Watcher({
      queue,
      turn: this.#turn,
      after: (options.from ?? this.#head + 1) - 1,
      progress: options.progress ?? false,
      head: () => this.#head,
      past: (after) => this.#past(prefix, after, options.previous ?? false),
      closed: () => this.#leave(queue),
    });
    if (this.#closed !== undefined) watcher.fail(this.#closed);
    else if (options.progress) this.#startTimer();
    return watcher;
  }

  /** Sends a notice to every watcher that accepts them, behind its unread events. */
  requestProgress(): void {
    for (const queue of this.#queues.values()) queue.requestProgress();
  }

  /** Ends all watches with an error; new ones may follow. */
  interrupt(error: StoreError): void {
    for (const queue of [...this.#queues.values()]) queue.fail(error);
  }

  /** Ends all watches, those to come as well. */
  close(error: StoreError = closedError()): void {
    this.#closed = error;
    this.interrupt(error);
    this.#stopTimer?.();
  }

  #queueFor(prefix: string): Queue {
    let queue = this.#queues.get(prefix);
    if (queue === undefined) {
      queue = new Queue(prefix, this.#head, this.#options);
      this.#queues.set(prefix, queue);
      this.#lengths = [...new Set([...this.#queues.keys()].map((known) => known.length))];
    }
    return queue;
  }

  #leave(queue: Queue): void {
    if (queue.watchers > 0 || this.#queues.get(queue.prefix) !== queue) return;
    this.#queues.delete(queue.prefix);
    this.#lengths = [...new Set([...this.#queues.keys()].map((known) => known.length))];
    if (this.#queues.size === 0) {
      this.#stopTimer?.();
      this.#stopTimer = undefined;
    }
  }

  #queuesOf(key: string): Queue[] {
    const found: Queue[] = [];
    for (const length of this.#lengths) {
      if (length > key.length) continue;
      const queue = this.#queues.get(length === key.length ? key : key.slice(0, length));
      if (queue !== undefined) found.push(queue);
    }
    return found;
  }

  #startTimer(): void {
    if (this.#stopTimer !== undefined) return;
    this.#stopTimer = this.#clock.after(this.#options.progressInterval ?? 60_000, () => {
      this.#stopTimer = undefined;
      if (this.#options.progressDue === undefined) this.requestProgress();
      else this.#options.progressDue();
      if (this.#queues.size > 0) this.#startTimer();
    });
  }
}
