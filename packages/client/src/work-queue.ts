// Keys that wait to be worked on: each once however often it is named, one worker per key at a time, later again when it failed. Namespaces
// take turns, so that thousands of objects in one do not keep those of others waiting.

import { Backoff } from "./backoff.ts";

/** The pace of a queue. */
export interface WorkQueueOptions {
  /** Keys that are worked on at once. */
  readonly workers?: number;
  readonly firstRetryMs?: number;
  readonly mostRetryMs?: number;
  readonly random?: () => number;
  /** Lets other work of the process run before each key. */
  readonly isPaced?: boolean;
  /** Told of every failure; the key is tried again. */
  readonly failed?: (key: string, error: unknown) => void;
}

/** Keys by their namespaces, the part before the slash, in the order in which these take turns. */
class TurnsByNamespace {
  readonly #byNamespace = new Map<string, Set<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(key: string): void {
    const namespace = key.slice(0, key.indexOf("/") + 1);
    let keys = this.#byNamespace.get(namespace);
    if (keys === undefined) this.#byNamespace.set(namespace, (keys = new Set()));
    if (keys.has(key)) return;
    keys.add(key);
    this.#size++;
  }

  /** The first key of the namespace whose turn it is, which comes last then. */
  take(): string | undefined {
    for (const [namespace, keys] of this.#byNamespace) {
      const [key] = keys;
      keys.delete(key!);
      this.#size--;
      this.#byNamespace.delete(namespace);
      if (keys.size > 0) this.#byNamespace.set(namespace, keys);
      return key;
    }
    return undefined;
  }

  clear(): void {
    this.#byNamespace.clear();
    this.#size = 0;
  }
}

/** Works on keys, each at most once at a time. */
export class WorkQueue {
  readonly #work: (key: string) => Promise<{ readonly againMs: number } | undefined>;
  readonly #options: WorkQueueOptions;
  readonly #waiting = new TurnsByNamespace();
  readonly #busy = new Set<string>();
  /** Named while they were worked on. */
  readonly #again = new Set<string>();
  readonly #backoffs = new Map<string, Backoff>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #running = 0;
  #isStopped = false;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  /** `work` may ask to be called again after a while. */
  constructor(
    work: (key: string) => Promise<{ readonly againMs: number } | undefined>,
    options: WorkQueueOptions = {},
  ) {
    this.#work = work;
    this.#options = options;
  }

  add(key: string): void {
    if (this.#isStopped) return;
    if (this.#busy.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#next();
  }

  addAfter(key: string, ms: number): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.add(key);
    }, ms);
    // A program that has ended otherwise does not wait for retries.
    timer.unref();
    this.#timers.add(timer);
  }

  /** The number of unfinished keys, without those that wait for a retry. */
  get size(): number {
    return this.#waiting.size + this.#busy.size;
  }

  /** Resolves when nothing is waiting or worked on; retries that are due later do not count. */
  async idle(): Promise<void> {
    while (this.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Finishes the keys that are worked on, and begins no others. */
  async stop(): Promise<void> {
    this.#waiting.clear();
    this.#again.clear();
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.idle();
  }

  #next(): void {
    if (!this.#options.isPaced) this.#start();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#start();
      });
    }
  }

  #start(): void {
    const workers = this.#options.workers ?? 1;
    while (this.#running < workers && this.#waiting.size > 0) {
      const key = this.#waiting.take()!;
      this.#busy.add(key);
      this.#running++;
      void this.#process(key);
    }
  }

  async #process(key: string): Promise<void> {
    try {
      const answer = await this.#work(key);
      this.#backoffs.delete(key);
      if (answer) this.addAfter(key, answer.againMs);
    } catch (error) {
      this.#options.failed?.(key, error);
      this.addAfter(key, this.#backoff(key).next());
    }
    this.#running--;
    this.#busy.delete(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#next();
    if (this.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #backoff(key: string): Backoff {
    const { firstRetryMs: firstMs = 200, mostRetryMs: mostMs = 60_000, random = Math.random } = this.#options;
    let backoff = this.#backoffs.get(key);
    if (backoff === undefined) this.#backoffs.set(key, (backoff = new Backoff({ firstMs, mostMs, random })));
    return backoff;
  }
}
