// Clients of the cluster: writers record every acknowledgement, watchers every event.

import { isStoreError, type Revision, type Store } from "@celadon/storage";
import { pause } from "../campaign.ts";
import type { Random } from "../random.ts";

export interface Noted {
  readonly id: string;
  readonly key: string;
  /** The acknowledged revision; undefined when the write failed but may have been applied. */
  readonly revision: Revision | undefined;
}

export class Writers {
  readonly noted: Noted[] = [];
  /** Failed, with an error that guarantees it was not applied. */
  readonly refused: string[] = [];
  #next = 0;
  #isOver = false;
  readonly #running: Promise<void>[] = [];
  #lastAcknowledged = Date.now();
  /** The longest time without an acknowledged write, in milliseconds. */
  longestOutage = 0;

  start(store: Store, name: string, count: number, random: Random): void {
    for (let i = 0; i < count; i++) this.#running.push(this.#write(store, `${name}${i}`, random));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** The longest outage since the last call. */
  takeOutage(): number {
    const outage = Math.max(this.longestOutage, Date.now() - this.#lastAcknowledged);
    this.longestOutage = 0;
    return outage;
  }

  async #write(store: Store, writer: string, random: Random): Promise<void> {
    while (!this.#isOver) {
      const id = `${writer}.${this.#next++}`;
      const key = `/k/${random(100)}`;
      try {
        const { revision } = await store.write([{ op: "put", key, value: Buffer.from(id) }]);
        this.noted.push({ id, key, revision });
        const now = Date.now();
        this.longestOutage = Math.max(this.longestOutage, now - this.#lastAcknowledged);
        this.#lastAcknowledged = now;
      } catch (error) {
        if (!isStoreError(error)) throw error;
        if (error.outcomeUnknown) this.noted.push({ id, key, revision: undefined });
        else this.refused.push(id);
      }
      // A steady rate, not the highest: this tests durability, not throughput.
      await pause(5);
    }
  }
}

/** Revisions that were reported to a watcher as compacted. */
export interface Gap {
  readonly after: Revision;
  readonly through: Revision;
}

/** A watcher from a revision on; records events by revision. A sleeping watcher runs into compactions. */
export class Seer {
  readonly seen: { revision: Revision; key: string; id: string }[] = [];
  readonly gaps: Gap[] = [];
  readonly problems: string[] = [];
  readonly #store: Store;
  readonly #name: string;
  readonly #sleeps: boolean;
  #isOver = false;
  #close: () => void = () => undefined;
  readonly #running: Promise<void>;

  constructor(store: Store, name: string, from: Revision, random: Random, sleeps: boolean) {
    this.#sleeps = sleeps;
    this.#store = store;
    this.#name = name;
    this.#running = this.#watch(from, random);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#close();
    await this.#running;
  }

  get last(): Revision {
    return this.seen.at(-1)?.revision ?? 0;
  }

  async #watch(start: Revision, random: Random): Promise<void> {
    let from = start;
    while (!this.#isOver) {
      const watch = this.#store.watch("/k/", { from });
      this.#close = () => watch.close();
      try {
        for await (const notice of watch) {
          if (notice.type !== "changes") continue;
          if (notice.revision < from)
            this.problems.push(`${this.#name} saw revision ${notice.revision} after ${from - 1}`);
          from = notice.revision + 1;
          for (const change of notice.changes) {
            if (change.type !== "put") continue;
            this.seen.push({
              revision: notice.revision,
              key: change.key,
              id: Buffer.from(change.entry.value).toString(),
            });
          }
          if (this.#sleeps && random(2_000) === 0) await pause(random(10_000));
          if (random(500) === 0) break;
        }
      } catch (error) {
        if (isStoreError(error, "closed")) return;
        if (!isStoreError(error, "compacted")) {
          this.problems.push(`${this.#name} ended: ${String(error)}`);
          return;
        }
        const through = Math.max(from, error.compactRevision ?? from);
        this.gaps.push({ after: from - 1, through });
        from = through + 1;
      }
    }
  }
}
