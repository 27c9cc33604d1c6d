// One watch: a position in history, read from the shared queue while it keeps up and from the store's past while it does not.
// It holds no changes of its own beyond the part of history it is reading.

import { StoreError } from "../error.ts";
import type { Changes, Notice, Revision, Watch } from "../store.ts";
import type { Past } from "./hub.ts";
import type { Queue } from "./queue.ts";
import type { Turn } from "./turn.ts";

export interface WatcherOptions {
  readonly queue: Queue;
  readonly turn: Turn;
  /** Deliver events after this revision. */
  readonly after: Revision;
  readonly progress: boolean;
  readonly head: () => Revision;
  readonly past: (after: Revision) => Past | Promise<Past>;
  /** Called once when the watch is over. */
  readonly closed: () => void;
}

type Result = IteratorResult<Notice, undefined>;
const DONE: Result = { done: true, value: undefined };

export class Watcher implements Watch {
  readonly #queue: Queue;
  readonly #options: WatcherOptions;
  /** Everything up to here was delivered. */
  #seen: Revision;
  /** The next item of the queue; undefined while history is read. */
  #position: number | undefined;
  /** The changes of history that were read, and the number already delivered. */
  #past: readonly Changes[] = [];
  #pastRead = 0;
  #pastThrough: Revision = 0;
  #progressWanted = false;
  /** True once the watch has kept up, so that falling behind is news. */
  #keptUp = false;
  #over: StoreError | "closed" | undefined;
  #pending: Promise<Result> | undefined;
  #wake: (() => void) | undefined;

  constructor(options: WatcherOptions) {
    this.#options = options;
    this.#queue = options.queue;
    this.#seen = options.after;
    this.#queue.join(this);
    this.#enter();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    if (this.#pending !== undefined) return this.#pending.then(() => this.next());
    if (this.#over === undefined && this.#options.turn.take() && this.#isAtHand()) {
      const notice = this.#take();
      if (notice !== undefined) return Promise.resolve({ done: false, value: notice });
    }
    const pending = this.#pull().finally(() => {
      this.#pending = undefined;
    });
    this.#pending = pending;
    return pending;
  }

  return(): Promise<Result> {
    this.close();
    return Promise.resolve(DONE);
  }

  close(): void {
    this.#end("closed");
  }

  fail(error: StoreError): void {
    this.#end(error);
  }

  wantProgress(): void {
    this.#progressWanted = this.#options.progress;
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  async #pull(): Promise<Result> {
    const { turn } = this.#options;
    for (;;) {
      while (!turn.take()) await turn.next();
      if (this.#over === "closed") return DONE;
      if (this.#over !== undefined) throw this.#over;
      if (!this.#isAtHand()) {
        if (this.#keptUp) {
          this.#keptUp = false;
          return { done: false, value: { type: "behind", revision: this.#seen } };
        }
        await this.#readPast();
        continue;
      }
      const notice = this.#take();
      if (notice !== undefined) return { done: false, value: notice };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        this.#queue.wait(this);
      });
    }
  }

  /** True when the next notice needs no reading of history. Leaves the queue when it has dropped the next event. */
  #isAtHand(): boolean {
    if (this.#pastRead < this.#past.length) return true;
    if (this.#past.length > 0) {
      this.#past = [];
      this.#pastRead = 0;
    }
    if (this.#pastThrough > this.#seen) this.#seen = this.#pastThrough;
    if (this.#position !== undefined && !this.#queue.holds(this.#position)) this.#exit();
    if (this.#position === undefined) this.#enter();
    return this.#position !== undefined;
  }

  #take(): Notice | undefined {
    const old = this.#past[this.#pastRead];
    if (old !== undefined) {
      this.#pastRead += 1;
      this.#seen = old.revision;
      return old;
    }
    for (;;) {
      const batch = this.#queue.read(this.#position!);
      if (batch === undefined) break;
      this.#position! += 1;
      if (batch.revision <= this.#seen) continue;
      this.#seen = batch.revision;
      return batch;
    }
    if (!this.#progressWanted || this.#options.head() < this.#seen) return undefined;
    this.#progressWanted = false;
    this.#seen = this.#options.head();
    return { type: "progress", revision: this.#seen };
  }

  async #readPast(): Promise<void> {
    try {
      const past = await this.#options.past(this.#seen);
      this.#past = past.batches;
      this.#pastRead = 0;
      this.#pastThrough = past.through;
    } catch (error) {
      this.#end(
        error instanceof StoreError ? error : new StoreError("corrupt", "history cannot be read", { cause: error }),
      );
    }
  }

  #enter(): void {
    this.#position = this.#queue.enter(this.#seen);
    if (this.#position !== undefined) this.#keptUp = true;
  }

  #exit(): void {
    if (this.#position === undefined) return;
    this.#queue.exit(this.#position);
    this.#position = undefined;
  }

  #end(over: StoreError | "closed"): void {
    if (this.#over !== undefined) return;
    this.#over = over;
    this.#exit();
    this.#past = [];
    this.#queue.leave(this);
    this.#options.closed();
    this.wake();
  }
}
