// The embedded store: one directory, one process, every acknowledged write on disk.

import { type Clock, systemClock } from "../clock.ts";
import { closedError, futureError, type StoreError } from "../error.ts";
import {
  checkKey,
  checkOperations,
  checkPrefix,
  checkRevision,
  defaultLimits,
  type TransactionLimits,
} from "../operations.ts";
import type {
  Counted,
  Got,
  ListKeysOptions,
  Page,
  Revision,
  Store,
  StoreOperation,
  TransactionResult,
  Watch,
  WatchKeysOptions,
} from "../store.ts";
import { Hub, type HubOptions } from "../watch/hub.ts";
import { markCompacted, readState, scrub } from "./compaction.ts";
import type { Environment } from "./environment.ts";
import { nextDue } from "./expiry.ts";
import { readFailure } from "./failure.ts";
import { type Opened, openDirectory } from "./open.ts";
import { isWorthShrinking, shrink, usageOf } from "./shrink.ts";
import { Snapshot } from "./snapshot.ts";
import { Writer } from "./writer.ts";

/** Options for opening an LMDB store. */
export interface LmdbOptions extends HubOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<TransactionLimits>;
  /** Refuse to add data when less than this is free on the disk, with `no_space`; 64 MiB unless given. */
  readonly minFreeBytes?: number;
  /** After a compaction, shorten the file when this much of it is free and more than half; 64 MiB unless given. */
  readonly shrinkBytes?: number;
}

/** Opens the store in a directory, which is made when it is absent. */
export async function openLmdb(directory: string, options: LmdbOptions = {}): Promise<Store> {
  return new LmdbStore(directory, await openDirectory(directory), options);
}

const MIN_FREE_BYTES = 64 * 1024 * 1024;
const SHRINK_BYTES = 64 * 1024 * 1024;
/** The number of keys that expire in one transaction. */
const EXPIRE_AT_ONCE = 500;

/** Milliseconds until what could not be expired is tried again. */
const EXPIRE_AGAIN = 5_000;

class LmdbStore implements Store {
  readonly #limits: TransactionLimits;
  readonly #clock: Clock;
  #environment: Environment;
  readonly #directory: string;
  readonly #shrinkBytes: number;
  readonly #disown: () => Promise<void>;
  readonly #hub: Hub;
  readonly #writer: Writer;
  /** Reads under way, which closing waits for. */
  readonly #reads = new Set<Promise<unknown>>();
  /** Set while the file is replaced; reads wait for it. */
  #replacing: Promise<void> | undefined;
  #cancelExpiry: (() => void) | undefined;
  #expirySecond = Number.POSITIVE_INFINITY;
  #scrubbing: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(directory: string, { environment, disown }: Opened, options: LmdbOptions) {
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#environment = environment;
    this.#directory = directory;
    this.#shrinkBytes = options.shrinkBytes ?? SHRINK_BYTES;
    this.#disown = disown;
    const { head } = readState(environment);
    this.#hub = new Hub(head, (prefix, after, previous) => this.#read((s) => s.past(prefix, after, previous)), options);
    this.#writer = new Writer({
      directory,
      environment: () => this.#environment,
      now: () => this.#clock.now(),
      minFreeBytes: options.minFreeBytes ?? MIN_FREE_BYTES,
      watched: () => this.#hub.watched,
      publish: (batch) => this.#hub.publish(batch),
      expiryChanged: () => this.#armExpiry(),
    });
    this.#armExpiry();
    // Files that cannot be removed now are removed after the next compaction.
    this.#scrub().catch(() => undefined);
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return this.#read((snapshot) => snapshot.state.head);
  }

  async get(key: string, options: { readonly revision?: Revision } = {}): Promise<Got> {
    this.#checkOpen();
    checkKey(key);
    return this.#read((snapshot) => {
      const revision = snapshot.readRevision(options.revision);
      return { revision, entry: snapshot.entry(key, revision) };
    });
  }

  async list(prefix: string, options: ListKeysOptions = {}): Promise<Page> {
    this.#checkOpen();
    checkPrefix(prefix);
    if (options.after !== undefined) checkKey(options.after);
    return this.#read(async (snapshot) => {
      const revision = snapshot.readRevision(options.revision);
      const limit = options.limit || Number.POSITIVE_INFINITY;
      const entries = await snapshot.list(prefix, revision, limit, options.after);
      const more = entries.length > limit;
      if (more) entries.pop();
      if (options.remaining !== true) return { revision, entries, more };
      const remaining = more ? await snapshot.count(prefix, revision, entries.at(-1)!.key) : 0;
      return { revision, entries, more, remaining };
    });
  }

  async count(prefix: string, options: { readonly revision?: Revision } = {}): Promise<Counted> {
    this.#checkOpen();
    checkPrefix(prefix);
    return this.#read(async (snapshot) => {
      const revision = snapshot.readRevision(options.revision);
      return { revision, count: await snapshot.count(prefix, revision) };
    });
  }

  async write(operations: readonly StoreOperation[]): Promise<TransactionResult> {
    this.#checkOpen();
    checkOperations(operations, this.#limits);
    return this.#writer.write(operations);
  }

  watch(prefix: string, options: WatchKeysOptions = {}): Watch {
    return this.#hub.watch(prefix, options);
  }

  async requestProgress(): Promise<void> {
    this.#checkOpen();
    await this.#writer.exclusive(async () => this.#hub.requestProgress());
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    await this.#writer.exclusive(async () => {
      const { head, compacted } = readState(this.#environment);
      if (revision > head) throw futureError(revision, head);
      if (revision > compacted) await markCompacted(this.#environment, revision);
    });
    await this.#scrub();
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      this.#cancelExpiry?.();
      await this.#writer.close();
      this.#hub.close();
      await Promise.allSettled([...this.#reads, this.#scrubbing]);
      await this.#environment.root.close();
      await this.#disown();
    })();
    return this.#closing;
  }

  /** Reads from one snapshot. */
  #read<T>(read: (snapshot: Snapshot) => T | Promise<T>): T | Promise<T> {
    if (this.#replacing !== undefined) return this.#replacing.then(() => this.#read(read));
    this.#checkOpen();
    const snapshot = new Snapshot(this.#environment);
    let result: T | Promise<T>;
    try {
      result = read(snapshot);
    } catch (error) {
      snapshot.done();
      throw readFailure(error, this.#directory);
    }
    if (!(result instanceof Promise)) {
      snapshot.done();
      return result;
    }
    const reading = result
      .catch((error: unknown) => {
        throw readFailure(error, this.#directory);
      })
      .finally(() => {
        snapshot.done();
        this.#reads.delete(reading);
      });
    this.#reads.add(reading);
    return reading;
  }

  /** Removes what compactions left, one run at a time; ends early when the store is closed and goes on when it is opened again. */
  #scrub(): Promise<void> {
    this.#scrubbing ??= (async () => {
      try {
        for (let done = false; !done && this.#closing === undefined; ) {
          await this.#writer.exclusive(async () => {
            done = await scrub(this.#environment);
            if (done) await this.#shrink();
          });
        }
      } finally {
        this.#scrubbing = undefined;
      }
    })().catch((error: StoreError) => {
      if (error.code !== "closed") throw error;
    });
    return this.#scrubbing;
  }

  async #shrink(): Promise<void> {
    if (!isWorthShrinking(usageOf(this.#environment), this.#shrinkBytes, this.#directory)) return;
    let replaced = (): void => {};
    try {
      this.#environment = await shrink(this.#environment, this.#directory, async () => {
        this.#replacing = new Promise((resolve) => {
          replaced = resolve;
        });
        await Promise.allSettled(this.#reads);
      });
    } finally {
      this.#replacing = undefined;
      replaced();
    }
  }

  /** Waits for the next key that expires. */
  #armExpiry(): void {
    if (this.#closing !== undefined) return;
    const [next] = nextDue(this.#environment, 1);
    const second = next?.second ?? Number.POSITIVE_INFINITY;
    if (second === this.#expirySecond) return;
    this.#cancelExpiry?.();
    this.#expirySecond = second;
    if (next === undefined) return;
    this.#cancelExpiry = this.#clock.after(second * 1000 - this.#clock.now(), () => this.#expire());
  }

  #expire(): void {
    this.#expirySecond = Number.POSITIVE_INFINITY;
    if (this.#closing !== undefined) return;
    if (this.#replacing !== undefined) {
      void this.#replacing.then(() => this.#expire());
      return;
    }
    const now = Math.floor(this.#clock.now() / 1000);
    const due = nextDue(this.#environment, EXPIRE_AT_ONCE).filter(({ second }) => second <= now);
    void this.#writer
      .expire(
        due.map(({ key }) => key),
        now,
      )
      .then((written) => {
        if (!written) this.#cancelExpiry = this.#clock.after(EXPIRE_AGAIN, () => this.#expire());
      });
  }

  #checkOpen(): void {
    if (this.#closing !== undefined) throw closedError();
  }
}
