// Keys in order, in chunks: finding one is two binary searches, adding one moves a few hundred others at most, and a chunk knows how
// many of its keys are live, so that counting skips whole chunks.

import { compareKeys, comparePlain, isPlain } from "../key-order.ts";

/** A key and whether it has a value now; keys that were deleted stay until a compaction. */
export interface Keyed {
  readonly key: string;
  readonly live: boolean;
}

interface Chunk<T> {
  items: T[];
  live: number;
}

const CHUNK = 512;

export class SortedKeys<T extends Keyed> {
  #chunks: Chunk<T>[] = [];
  /** JavaScript's own comparison while it gives the order of UTF-8: until the first key that needs another. */
  #compare: (a: string, b: string) => number = comparePlain;

  add(item: T): void {
    if (this.#compare === comparePlain && !isPlain(item.key)) this.#compare = compareKeys;
    const at = this.#chunkOf(item.key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push({ items: [item], live: item.live ? 1 : 0 });
      return;
    }
    chunk.items.splice(this.#placeIn(chunk, item.key), 0, item);
    if (item.live) chunk.live += 1;
    if (chunk.items.length > CHUNK) this.#split(at);
  }

  remove(key: string): void {
    const at = this.#chunkOf(key);
    const chunk = this.#chunks[at];
    const place = chunk === undefined ? 0 : this.#placeIn(chunk, key);
    const item = chunk?.items[place];
    if (chunk === undefined || item?.key !== key) return;
    chunk.items.splice(place, 1);
    if (item.live) chunk.live -= 1;
    if (chunk.items.length === 0) this.#chunks.splice(at, 1);
  }

  /** Says that a key became live (1) or was deleted (-1). */
  turn(key: string, by: 1 | -1): void {
    this.#chunks[this.#chunkOf(key)]!.live += by;
  }

  /** The items whose key starts with `prefix`, behind `after` if it is given. */
  *from(prefix: string, after?: string): Generator<T, undefined> {
    for (let at = this.#chunkOf(after ?? prefix), skip = true; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!;
      const first: number = skip ? this.#placeIn(chunk, after ?? prefix) : 0;
      skip = false;
      for (let i = first; i < chunk.items.length; i++) {
        const item = chunk.items[i]!;
        if (item.key === after) continue;
        if (item.key.startsWith(prefix)) yield item;
        else if (this.#compare(item.key, prefix) > 0) return;
      }
    }
  }

  /** Counts the live keys that start with `prefix`, behind `after` when it is given. */
  countLive(prefix: string, after?: string): number {
    let count = 0;
    for (let at = this.#chunkOf(after ?? prefix), skip = true; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at]!;
      const { items } = chunk;
      if (!skip && items[0]!.key.startsWith(prefix) && items[items.length - 1]!.key.startsWith(prefix)) {
        count += chunk.live;
        continue;
      }
      for (let i = skip ? this.#placeIn(chunk, after ?? prefix) : 0; i < items.length; i++) {
        const item = items[i]!;
        if (item.key === after) continue;
        if (item.key.startsWith(prefix)) count += item.live ? 1 : 0;
        else if (this.#compare(item.key, prefix) > 0) return count;
      }
      skip = false;
    }
    return count;
  }

  /** The chunk that holds the key or would: the last one that does not start behind it. */
  #chunkOf(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#chunks[middle]!.items[0]!.key, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The first place in the chunk whose key is not before this one. */
  #placeIn(chunk: Chunk<T>, key: string): number {
    let low = 0;
    let high = chunk.items.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(chunk.items[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #split(at: number): void {
    const chunk = this.#chunks[at]!;
    const half = chunk.items.splice(CHUNK / 2);
    const live = half.reduce((sum, item) => sum + (item.live ? 1 : 0), 0);
    chunk.live -= live;
    this.#chunks.splice(at + 1, 0, { items: half, live });
  }
}
