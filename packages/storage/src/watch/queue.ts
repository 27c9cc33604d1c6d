// The changes of one prefix that some watcher has yet to read. Held once for all watchers, dropped when the last has read it or when
// the queue is full; `complete` says from where on the queue has everything.

import type { StoreError } from "../error.ts";
import type { Changes, Revision } from "../store.ts";
import type { Watcher } from "./watcher.ts";

interface Item {
  readonly batch: Changes;
  readonly bytes: number;
  /** Watchers that have yet to read it. */
  readers: number;
}

export class Queue {
  readonly prefix: string;
  readonly #maxChanges: number;
  readonly #maxBytes: number;
  readonly #watchers = new Set<Watcher>();
  #waiting: Watcher[] = [];
  #items: Item[] = [];
  /** Items before this index are dropped; the array is shortened when half of it is. */
  #start = 0;
  /** The number of items[#start], counted since the queue began. */
  #first = 0;
  #changes = 0;
  #bytes = 0;
  #complete: Revision;
  /** Watchers that read from the queue rather than from history. */
  #readers = 0;

  constructor(prefix: string, head: Revision, limits: { maxQueuedChanges?: number; maxQueuedBytes?: number }) {
    this.prefix = prefix;
    this.#complete = head;
    this.#maxChanges = limits.maxQueuedChanges ?? 10_000;
    this.#maxBytes = limits.maxQueuedBytes ?? 64 * 1024 * 1024;
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  join(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    const place = this.#waiting.indexOf(watcher);
    if (place >= 0) this.#waiting.splice(place, 1);
  }

  wait(watcher: Watcher): void {
    this.#waiting.push(watcher);
  }

  push(batch: Changes): void {
    if (this.#readers === 0) {
      this.#complete = batch.revision;
    } else {
      let bytes = 0;
      for (const change of batch.changes) {
        bytes += change.key.length + (change.type === "put" ? change.entry.value.byteLength : 0);
        bytes += change.previous?.value.byteLength ?? 0;
      }
      this.#items.push({ batch, bytes, readers: this.#readers });
      this.#changes += batch.changes.length;
      this.#bytes += bytes;
      while (this.#changes > this.#maxChanges || this.#bytes > this.#maxBytes) this.#drop();
    }
    this.#wake();
  }

  /** The place at which a watcher that has seen everything up to `after` goes on reading; undefined when the queue no longer has it all. */
  enter(after: Revision): number | undefined {
    if (after < this.#complete) return undefined;
    let low = this.#start;
    let high = this.#items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#items[middle]!.batch.revision <= after) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < this.#items.length; i++) this.#items[i]!.readers += 1;
    this.#readers += 1;
    return this.#first + (low - this.#start);
  }

  /** The opposite of `enter`, for a watcher whose next item would be `position`. */
  exit(position: number): void {
    this.#readers -= 1;
    for (let i = Math.max(this.#start, this.#indexOf(position)); i < this.#items.length; i++) {
      this.#items[i]!.readers -= 1;
    }
    this.#dropRead();
  }

  /** False when the item at `position` was dropped before it was read. */
  holds(position: number): boolean {
    return position >= this.#first;
  }

  read(position: number): Changes | undefined {
    const item = this.#items[this.#indexOf(position)];
    if (item === undefined) return undefined;
    item.readers -= 1;
    if (item.readers === 0) this.#dropRead();
    return item.batch;
  }

  requestProgress(): void {
    for (const watcher of this.#watchers) watcher.wantProgress();
    this.#wake();
  }

  fail(error: StoreError): void {
    for (const watcher of [...this.#watchers]) watcher.fail(error);
  }

  #indexOf(position: number): number {
    return position - this.#first + this.#start;
  }

  #wake(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    for (const watcher of waiting) watcher.wake();
  }

  #dropRead(): void {
    while (this.#items[this.#start]?.readers === 0) this.#drop();
  }

  #drop(): void {
    const item = this.#items[this.#start]!;
    (this.#items as (Item | undefined)[])[this.#start] = undefined;
    this.#start += 1;
    this.#first += 1;
    this.#changes -= item.batch.changes.length;
    this.#bytes -= item.bytes;
    this.#complete = item.batch.revision;
    if (this.#start > 64 && this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
  }
}
