// The times at which keys expire. A key is due once, at its latest time; times are kept in whole seconds, as leases of etcd are.

import type { Clock } from "../clock.ts";

export class Expiry {
  readonly #clock: Clock;
  readonly #expire: (keys: readonly string[]) => void;
  /** The second each key expires at, and the keys of each second. */
  readonly #dueOf = new Map<string, number>();
  readonly #keysDue = new Map<number, Set<string>>();
  #armed: { second: number; cancel: () => void } | undefined;

  constructor(clock: Clock, expire: (keys: readonly string[]) => void) {
    this.#clock = clock;
    this.#expire = expire;
  }

  /** Replaces the key's time; undefined when it no longer expires. */
  set(key: string, ttl: number | undefined): void {
    const before = this.#dueOf.get(key);
    if (before !== undefined) {
      this.#dueOf.delete(key);
      const keys = this.#keysDue.get(before);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysDue.delete(before);
    }
    if (ttl === undefined) return;
    const due = Math.ceil(this.#clock.now() / 1000 + ttl);
    this.#dueOf.set(key, due);
    const keys = this.#keysDue.get(due);
    if (keys === undefined) this.#keysDue.set(due, new Set([key]));
    else keys.add(key);
    if (this.#armed === undefined || due < this.#armed.second) this.#arm(due);
  }

  close(): void {
    this.#armed?.cancel();
    this.#armed = undefined;
    this.#keysDue.clear();
  }

  #arm(second: number): void {
    this.#armed?.cancel();
    this.#armed = { second, cancel: this.#clock.after(second * 1000 - this.#clock.now(), () => this.#run()) };
  }

  #run(): void {
    this.#armed = undefined;
    const now = this.#clock.now() / 1000;
    let next = Number.POSITIVE_INFINITY;
    for (const [second, keys] of [...this.#keysDue]) {
      if (second > now) {
        next = Math.min(next, second);
        continue;
      }
      this.#keysDue.delete(second);
      for (const key of keys) this.#dueOf.delete(key);
      this.#expire([...keys]);
    }
    if (next < Number.POSITIVE_INFINITY) this.#arm(next);
  }
}
