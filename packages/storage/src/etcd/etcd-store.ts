// The distributed store: a cluster of etcd that several processes use at once. All reads are linearizable.

import type { SecureContextOptions } from "node:tls";
import { closedError, compactedError, isStoreError, StoreError } from "../error.ts";
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
  Entry,
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
import { WireError } from "../wire/wire-reader.ts";
import { Client } from "./client.ts";
import { entryOf, Feed } from "./feed.ts";
import { FieldWriter } from "./fields.ts";
import { readHistory } from "./history.ts";
import { Keys } from "./keys.ts";
import { Leases } from "./leases.ts";
import {
  decodeRange,
  decodeRevision,
  decodeStatus,
  decodeTxn,
  encodeCompact,
  encodeRange,
  encodeTxn,
  METHOD,
  type RangeRequest,
  type RangeResponse,
  type TxnOperation,
  type TxnRequest,
  type TxnResponse,
} from "./messages.ts";
import { Recent } from "./recent.ts";

/** The address of etcd and the way to it. */
export interface EtcdOptions extends HubOptions {
  /** The members' addresses: `http://127.0.0.1:2379`, or `https://…` with `tls`. */
  readonly endpoints: readonly string[];
  /** Put before every key, to share a cluster with others; keys follow with their slash. */
  readonly prefix?: string;
  readonly tls?: SecureContextOptions & { readonly servername?: string };
  readonly user?: string;
  readonly password?: string;
  readonly limits?: Partial<TransactionLimits>;
  /** Milliseconds a call may take with all its attempts, and one attempt; 15,000 and 5,000 unless given. */
  readonly timeout?: number;
  readonly attemptTimeout?: number;
  /** Milliseconds between pings on a connection, and for their answers; 10,000 and 5,000. etcd ends connections that ping more than every 5 s. */
  readonly keepAliveInterval?: number;
  readonly keepAliveTimeout?: number;
}

/** Connects to a cluster. */
export async function openEtcd(options: EtcdOptions): Promise<Store> {
  const store = new EtcdStore(options);
  try {
    await store.start();
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** A list is read in parts, so that no message grows without bound: entries of the first and the longest, and bytes aimed at. */
const FIRST_PART = 500;
const LONGEST_PART = 2_000;
const PART_BYTES = 8 * 1024 * 1024;
/** Milliseconds until a progress notice is requested again. */
const PROGRESS_AGAIN = 100;

class EtcdStore implements Store {
  readonly #limits: TransactionLimits;
  readonly #timeout: number;
  readonly #client: Client;
  readonly #keys: Keys;
  readonly #leases: Leases;
  readonly #hub: Hub;
  readonly #feed: Feed;
  readonly #recent = new Recent();
  /** Writes under way, which closing waits for. */
  readonly #writes = new Set<Promise<unknown>>();
  /** The newest revision that was seen in an answer. */
  #seen = 0;
  /** The revision up to which this store compacted; others may have gone further. */
  #compacted = 0;
  /** Calls that wait for the feed to reach a revision. */
  #waiting: { revision: Revision; reached: () => void }[] = [];
  #hasReliableProgress = false;
  #closed = false;

  constructor(options: EtcdOptions) {
    if (options.endpoints.length === 0) throw new StoreError("invalid", "etcd needs an endpoint");
    for (const endpoint of options.endpoints) checkEndpoint(endpoint);
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#timeout = options.timeout ?? 15_000;
    this.#client = new Client({
      ...options,
      timeout: this.#timeout,
      attemptTimeout: options.attemptTimeout ?? 5_000,
      keepAliveInterval: options.keepAliveInterval ?? 10_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 5_000,
    });
    this.#keys = new Keys(options.prefix ?? "");
    this.#leases = new Leases(this.#client);
    this.#hub = new Hub(0, (prefix, after, previous) => this.#past(prefix, after, previous), {
      ...options,
      progressDue: () => void this.requestProgress().catch(() => undefined),
    });
    this.#feed = new Feed(this.#client, this.#keys, {
      changes: (batch) => {
        this.#recent.add(batch);
        this.#hub.publish(batch);
        this.#reached();
      },
      progress: (revision) => {
        this.#hub.advance(revision);
        this.#reached();
      },
      compacted: (error) => void this.#restart(error),
    });
  }

  async start(): Promise<void> {
    this.#startFeed(await this.#mark());
    const status = { method: METHOD.status, request: new FieldWriter(), isRead: true };
    this.#hasReliableProgress = await this.#client.call(status, decodeStatus).then(isReliable, () => false);
  }

  async revision(): Promise<Revision> {
    this.#checkOpen();
    return (await this.#range({ key: this.#keys.mark, countOnly: true })).revision;
  }

  async get(key: string, options: { readonly revision?: Revision } = {}): Promise<Got> {
    this.#checkOpen();
    checkKey(key);
    const { revision, entries } = await this.#range({ key: this.#keys.encode(key) }, options.revision);
    const [found] = entries;
    return { revision, entry: found === undefined ? undefined : entryOf(found, key) };
  }

  async list(prefix: string, options: ListKeysOptions = {}): Promise<Page> {
    this.#checkOpen();
    checkPrefix(prefix);
    if (options.after !== undefined) checkKey(options.after);
    const limit = options.limit || Number.POSITIVE_INFINITY;
    const entries: Entry[] = [];
    let revision = options.revision;
    let part = FIRST_PART;
    for (let after = options.after; ; after = entries.at(-1)?.key ?? after) {
      const range = { ...this.#keys.range(prefix, after), limit: Math.min(part, limit - entries.length) };
      let response: RangeResponse;
      try {
        response = await this.#range(range, revision);
      } catch (error) {
        if (!isStoreError(error, "too_large") || part === 1) throw error;
        part = Math.ceil(part / 8);
        continue;
      }
      revision = response.revision;
      for (const found of response.entries) entries.push(entryOf(found, this.#keys.decode(found.key)));
      part = nextPart(response);
      if (response.more && entries.length < limit) continue;
      const page = { revision, entries, more: response.more };
      return options.remaining ? { ...page, remaining: response.count - response.entries.length } : page;
    }
  }

  async count(prefix: string, options: { readonly revision?: Revision } = {}): Promise<Counted> {
    this.#checkOpen();
    checkPrefix(prefix);
    const { revision, count } = await this.#range({ ...this.#keys.range(prefix), countOnly: true }, options.revision);
    return { revision, count };
  }

  async write(operations: readonly StoreOperation[]): Promise<TransactionResult> {
    this.#checkOpen();
    checkOperations(operations, this.#limits);
    const writing = this.#write(operations);
    this.#writes.add(writing);
    try {
      return await writing;
    } finally {
      this.#writes.delete(writing);
    }
  }

  watch(prefix: string, options: WatchKeysOptions = {}): Watch {
    const from = options.from ?? Math.max(this.#seen, this.#hub.head) + 1;
    return this.#hub.watch(prefix, { ...options, from });
  }

  async requestProgress(): Promise<void> {
    const target = await this.revision();
    if (target > this.#hub.head) {
      if (!this.#hasReliableProgress) await this.#reach(await this.#mark());
      else await this.#reach(target);
    }
    this.#hub.requestProgress();
  }

  async compact(revision: Revision): Promise<void> {
    this.#checkOpen();
    checkRevision(revision);
    if (revision === 0) return;
    try {
      const request = encodeCompact(revision);
      const call = { method: METHOD.compact, request, isRead: true, revision };
      this.#see(await this.#client.call(call, decodeRevision));
      this.#compacted = Math.max(this.#compacted, revision);
    } catch (error) {
      if (!isStoreError(error, "compacted")) throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#writes);
    this.#feed.close();
    this.#hub.close();
    this.#client.close();
    this.#reached();
  }

  async #write(operations: readonly StoreOperation[]): Promise<TransactionResult> {
    const keys = operations.map(({ key }) => this.#keys.encode(key));
    const success = operations.map(async (operation, i): Promise<TxnOperation[]> => {
      const key = keys[i]!;
      if (operation.op === "check") return [];
      if (operation.op === "delete") return [{ delete: key }];
      const lease = operation.ttl === undefined ? 0 : await this.#leases.for(operation.ttl);
      return [{ put: { key, value: operation.value, lease } }];
    });
    const { succeeded, revision, current } = await this.#txn({
      compare: operations.flatMap(({ ifRevision }, i) =>
        ifRevision === undefined ? [] : [{ key: keys[i]!, modRevision: ifRevision }],
      ),
      success: (await Promise.all(success)).flat(),
      failure: keys,
    });
    if (succeeded) return { written: true, revision };
    const entries = current.map((found, i) => (found === undefined ? undefined : entryOf(found, operations[i]!.key)));
    return { written: false, revision, current: entries };
  }

  /** Writes the store's own key: the feed is sure to see that revision. */
  async #mark(): Promise<Revision> {
    const put = { key: this.#keys.mark, value: Buffer.alloc(0), lease: 0 };
    return (await this.#txn({ compare: [], success: [{ put }], failure: [] }, true)).revision;
  }

  async #txn(request: TxnRequest, isRead = false): Promise<TxnResponse> {
    const response = await this.#client.call({ method: METHOD.txn, request: encodeTxn(request), isRead }, decodeTxn);
    this.#see(response.revision);
    return response;
  }

  /** Reads at a revision, or at the last one. */
  async #range(request: RangeRequest, revision?: Revision): Promise<RangeResponse> {
    if (revision !== undefined) checkRevision(revision, 1);
    const encoded = encodeRange(revision === undefined ? request : { ...request, revision });
    const call = { method: METHOD.range, request: encoded, isRead: true, revision };
    const response = await this.#client.call(call, (reader) => {
      const range = decodeRange(reader);
      const last = range.entries.at(-1);
      if (last !== undefined && Buffer.compare(last.key, request.key) < 0) throw new WireError("a key is out of range");
      return range;
    });
    this.#see(response.revision);
    return revision === undefined ? response : { ...response, revision };
  }

  #see(revision: Revision): void {
    if (revision > this.#seen) this.#seen = revision;
  }

  #past(prefix: string, after: Revision, previous: boolean) {
    if (after < this.#compacted) throw compactedError(after + 1, this.#compacted);
    const recent = this.#recent.read(prefix, after, this.#hub.head);
    if (recent !== undefined) return recent;
    const until = this.#feed.delivered;
    return readHistory(this.#client, this.#keys, { prefix, after, previous, until }, () => this.#closed);
  }

  /** History was compacted while the feed was away: every watcher missed something, and the feed starts again from now. */
  async #restart(error: StoreError): Promise<void> {
    this.#hub.interrupt(error);
    for (;;) {
      if (this.#closed) return;
      try {
        const revision = await this.#mark();
        this.#hub.interrupt(compactedError(error.compactRevision ?? revision, revision));
        this.#startFeed(revision);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, PROGRESS_AGAIN));
      }
    }
  }

  #startFeed(revision: Revision): void {
    this.#recent.reset(revision);
    this.#hub.advance(revision);
    this.#feed.start(revision);
  }

  /** Waits until the feed has reached a revision. */
  async #reach(revision: Revision): Promise<void> {
    // A notice that overtakes events would make every watcher skip them.
    const ask = (): void => {
      if (this.#hasReliableProgress) this.#feed.requestProgress();
    };
    const again = setInterval(ask, PROGRESS_AGAIN);
    ask();
    let tooLong: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((reached, reject) => {
        if (this.#hub.head >= revision) return reached();
        this.#waiting.push({ revision, reached });
        const late = new StoreError("unavailable", `the etcd watch did not reach revision ${revision}`);
        tooLong = setTimeout(reject, this.#timeout, late);
      });
    } finally {
      clearInterval(again);
      clearTimeout(tooLong);
    }
    this.#checkOpen();
  }

  #reached(): void {
    if (this.#waiting.length === 0) return;
    const done = this.#waiting.filter(({ revision }) => this.#closed || revision <= this.#hub.head);
    if (done.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => !done.includes(waiter));
    for (const { reached } of done) reached();
  }

  #checkOpen(): void {
    if (this.#closed) throw closedError();
  }
}

function checkEndpoint(endpoint: string): void {
  if (/^https?:\/\/[^/]/.test(endpoint) && URL.canParse(endpoint)) return;
  throw new StoreError("invalid", `${JSON.stringify(endpoint)} is not an etcd endpoint, such as http://127.0.0.1:2379`);
}

/** The number of entries of the same size that make a message of the desired size. */
function nextPart({ entries }: RangeResponse): number {
  const bytes = entries.reduce((sum, { key, value }) => sum + key.byteLength + value.byteLength, 1);
  return Math.max(1, Math.min(LONGEST_PART, Math.floor((entries.length * PART_BYTES) / bytes)));
}

/**
 * Whether a progress notice on request comes behind all events before it. Before these versions it could overtake them (kube-apiserver
 * requires the same versions): then the store's own key is written instead.
 */
export function isReliable(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  if (major !== 3) return major > 3;
  if (minor === 4) return patch >= 31;
  if (minor === 5) return patch >= 13;
  return minor > 5;
}
