// Every change of the store, once and in order, delivered to the cache of its prefix. One watch for the whole registry: all
// kinds then stand at the same revision, and a kind that is quiet is as fresh as the busiest.

import { type Changes, isStoreError, type Store } from "@celadon/storage";

/** All keys of the server are below it. */
export const REGISTRY = "/registry/";

export type ChangeListener = (changes: Changes["changes"][number], revision: number) => void;

interface Waiter {
  readonly revision: number;
  readonly done: () => void;
  readonly fail: (error: Error) => void;
}

export class Feed {
  readonly #store: Store;
  readonly #listeners = new Map<string, ChangeListener>();
  readonly #everything = new Set<ChangeListener>();
  readonly #resets = new Set<() => void>();
  readonly #progress = new Set<(revision: number) => void>();
  #waiters: Waiter[] = [];
  #watch: ReturnType<Store["watch"]> | undefined;
  #revision = 0;
  #closed = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Everything up to here was handed on. */
  get revision(): number {
    return this.#revision;
  }

  get isOpen(): boolean {
    return !this.#closed;
  }

  async start(): Promise<void> {
    this.#revision = await this.#store.revision();
    void this.#run();
  }

  /** Changes of keys below a prefix of the form `/registry/<group>/<resource>/`. */
  listen(prefix: string, listener: ChangeListener): void {
    this.#listeners.set(prefix, listener);
  }

  /** Changes of all keys, after the caches have them. Returns a function that unsubscribes. */
  listenAll(listener: ChangeListener): () => void {
    this.#everything.add(listener);
    return () => this.#everything.delete(listener);
  }

  unlisten(prefix: string): void {
    this.#listeners.delete(prefix);
  }

  /** Called when changes were lost, which only a store with a history shorter than an outage does: caches must be read again. */
  onReset(listener: () => void): void {
    this.#resets.add(listener);
  }

  /** Called when a batch of changes was handed on. */
  onProgress(listener: (revision: number) => void): void {
    this.#progress.add(listener);
  }

  /** Resolves when everything up to the revision was handed on; undefined when that is so already. */
  waitFor(revision: number): Promise<void> | undefined {
    if (revision <= this.#revision) return undefined;
    if (this.#closed) return Promise.reject(new Error("the server is shutting down"));
    return new Promise((done, fail) => this.#waiters.push({ revision, done, fail }));
  }

  /**
   * Like `waitFor`, and asks the store how far it is, so that a quiet one keeps nobody waiting. Both are awaited together: a wait that
   * fails while the store is asked, as on closing, has a reader then.
   */
  catchUp(revision: number): Promise<void> | undefined {
    const arrival = this.waitFor(revision);
    return arrival && Promise.all([arrival, this.#store.requestProgress()]).then(() => {});
  }

  close(): void {
    this.#closed = true;
    this.#watch?.close();
    for (const { fail } of this.#waiters) fail(new Error("the server is shutting down"));
    this.#waiters = [];
  }

  async #run(): Promise<void> {
    while (!this.#closed) {
      try {
        this.#watch = this.#store.watch(REGISTRY, { from: this.#revision + 1, progress: true });
        for await (const notice of this.#watch) {
          if (notice.type === "behind") continue;
          if (notice.type === "changes") for (const change of notice.changes) this.#hand(change, notice.revision);
          this.#advance(notice.revision);
        }
      } catch (error) {
        if (this.#closed || isStoreError(error, "closed")) return;
        if (isStoreError(error, "compacted")) await this.#startAnew();
        else await new Promise((done) => setTimeout(done, 200));
      }
    }
  }

  async #startAnew(): Promise<void> {
    this.#revision = await this.#store.revision();
    for (const reset of this.#resets) reset();
    this.#advance(this.#revision);
  }

  #hand(change: Changes["changes"][number], revision: number): void {
    const { key } = change;
    const group = key.indexOf("/", REGISTRY.length);
    const resource = key.indexOf("/", group + 1);
    this.#listeners.get(key.slice(0, resource + 1))?.(change, revision);
    for (const listener of this.#everything) listener(change, revision);
  }

  #advance(revision: number): void {
    if (revision > this.#revision) this.#revision = revision;
    for (const listener of this.#progress) listener(this.#revision);
    if (this.#waiters.length === 0) return;
    const waiting: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (waiter.revision <= this.#revision) waiter.done();
      else waiting.push(waiter);
    }
    this.#waiters = waiting;
  }
}
