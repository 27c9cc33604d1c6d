// The last changes the feed delivered, kept for watchers that resume or fall behind: etcd would have to send them once for each.

import type { Changes } from "../store.ts";
import type { Past } from "../watch/hub.ts";

const MOST_CHANGES = 20_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** The number of transactions that are read at once. */
const PART = 1_000;

export class Recent {
  #batches: Changes[] = [];
  /** Batches before this index are dropped; the array is shortened when half of it is. */
  #start = 0;
  /** Everything behind this revision is here. */
  #since = 0;
  #changes = 0;
  #bytes = 0;

  /** Forgets everything; events after `revision` follow. */
  reset(revision: number): void {
    this.#batches = [];
    this.#start = 0;
    this.#since = revision;
    this.#changes = 0;
    this.#bytes = 0;
  }

  add(batch: Changes): void {
    this.#batches.push(batch);
    this.#changes += batch.changes.length;
    this.#bytes += bytesOf(batch);
    while (this.#changes > MOST_CHANGES || this.#bytes > MOST_BYTES) this.#drop();
  }

  /** Changes of the prefix behind `after`; undefined when they are no longer all here. `head` is how far the feed has come. */
  read(prefix: string, after: number, head: number): Past | undefined {
    if (after < this.#since) return undefined;
    const first = this.#after(after);
    const part = this.#batches.slice(first, first + PART);
    const batches = part.flatMap((batch): Changes[] => {
      const changes = batch.changes.filter(({ key }) => key.startsWith(prefix));
      if (changes.length === 0) return [];
      return [changes.length === batch.changes.length ? batch : { ...batch, changes }];
    });
    return { batches, through: first + PART < this.#batches.length ? part.at(-1)!.revision : head };
  }

  /** The index of the first batch behind a revision. */
  #after(revision: number): number {
    let low = this.#start;
    let high = this.#batches.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#batches[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #drop(): void {
    const batch = this.#batches[this.#start]!;
    (this.#batches as (Changes | undefined)[])[this.#start] = undefined;
    this.#start += 1;
    this.#since = batch.revision;
    this.#changes -= batch.changes.length;
    this.#bytes -= bytesOf(batch);
    if (this.#start > 1_000 && this.#start * 2 > this.#batches.length) {
      this.#batches = this.#batches.slice(this.#start);
      this.#start = 0;
    }
  }
}

function bytesOf({ changes }: Changes): number {
  let bytes = 0;
  for (const change of changes) {
    bytes += change.key.length + (change.type === "put" ? change.entry.value.byteLength : 0);
    bytes += change.previous?.value.byteLength ?? 0;
  }
  return bytes;
}
