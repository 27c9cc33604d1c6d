// The objects of a resource in key order. Putting an object in its place moves all behind it; a burst of writes without reads in between is
// put in order at once.

import { compareKeys } from "@celadon/storage";
import type { StoredObject } from "./stored-object.ts";

/** Fewer changes are made one by one. */
const FEW = 8;
/** More are not left waiting. */
const MANY = 4_096;

export class SortedObjects {
  /** In key order, without the changes that wait. */
  #sorted: StoredObject[] = [];
  /** The last state of a changed object; undefined for a removed one. */
  readonly #changes = new Map<string, StoredObject | undefined>();

  /** In key order. Not to be changed, and only valid until the next change. */
  all(): readonly StoredObject[] {
    this.#settle();
    return this.#sorted;
  }

  /** The position of a key, or that at which it would be. */
  position(key: string): number {
    this.#settle();
    return this.#place(key);
  }

  /** Adds an object whose key comes after all others. */
  append(object: StoredObject): void {
    this.#settle();
    this.#sorted.push(object);
  }

  put(object: StoredObject): void {
    this.#change(object.key, object);
  }

  remove(key: string): void {
    this.#change(key, undefined);
  }

  clear(): void {
    this.#sorted = [];
    this.#changes.clear();
  }

  #change(key: string, object: StoredObject | undefined): void {
    this.#changes.set(key, object);
    if (this.#changes.size >= MANY) this.#settle();
  }

  #settle(): void {
    const changes = this.#changes;
    if (changes.size === 0) return;
    if (changes.size <= FEW) for (const [key, object] of changes) this.#apply(key, object);
    else this.#merge();
    changes.clear();
  }

  #apply(key: string, object: StoredObject | undefined): void {
    const at = this.#place(key);
    const isThere = this.#sorted[at]?.key === key;
    if (object === undefined) this.#sorted.splice(at, isThere ? 1 : 0);
    else if (isThere) this.#sorted[at] = object;
    else this.#sorted.splice(at, 0, object);
  }

  #merge(): void {
    const before = this.#sorted;
    const merged: StoredObject[] = [];
    let from = 0;
    for (const [key, object] of [...this.#changes].sort(([a], [b]) => compareKeys(a, b))) {
      const at = this.#place(key, from);
      for (; from < at; from++) merged.push(before[from]!);
      if (before[from]?.key === key) from++;
      if (object !== undefined) merged.push(object);
    }
    for (; from < before.length; from++) merged.push(before[from]!);
    this.#sorted = merged;
  }

  #place(key: string, from = 0): number {
    let low = from;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#sorted[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
