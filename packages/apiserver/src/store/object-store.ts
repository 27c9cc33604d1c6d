// The objects of every resource: reads from the caches, writes through the store. A write is answered once the caches have it, so a client
// reads its own writes, and policies that were written are in force for the next request.

import { failure } from "@celadon/kube/status";
import { isStoreError, type Store, type StoreOperation } from "@celadon/storage";
import type { StorageResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import { type CacheOptions, ResourceCache } from "./cache.ts";
import { Feed, REGISTRY } from "./feed.ts";
import type { ObjectTable } from "./object-table.ts";
import { StoredObject } from "./stored-object.ts";

const COMPACTED_KEY = `${REGISTRY}compacted`;

export interface ObjectStoreOptions {
  /** True when this server alone writes to the store: then the caches are always current. */
  readonly exclusive: boolean;
}

/** A write that was not made: the object had another revision than it should have (0: it should not exist). */
export class WriteConflict {
  readonly current: StoredObject | undefined;

  constructor(current: StoredObject | undefined) {
    this.current = current;
  }
}

export class ObjectStore {
  #compacted = 0;
  readonly store: Store;
  readonly feed: Feed;
  readonly #exclusive: boolean;
  readonly #caches = new Map<string, ResourceCache>();

  constructor(store: Store, { exclusive }: ObjectStoreOptions) {
    this.store = store;
    this.#exclusive = exclusive;
    this.feed = new Feed(store);
    this.feed.onReset(() => {
      for (const cache of this.#caches.values()) cache.reset();
    });
  }

  start(): Promise<void> {
    return this.feed.start();
  }

  /** The cache of a resource; the options of the first call count. */
  cache(storage: StorageResource, options?: CacheOptions): ResourceCache {
    let cache = this.#caches.get(storage.prefix);
    if (cache === undefined) {
      this.#caches.set(storage.prefix, (cache = new ResourceCache(storage, this.store, this.feed, options)));
    }
    return cache;
  }

  /** The stored amount of a resource, if its objects are loaded. */
  amountOf({ prefix }: StorageResource): { readonly count: number; readonly bytes: number } | undefined {
    const cache = this.#caches.get(prefix);
    return cache && { count: cache.size, bytes: cache.bytes };
  }

  caches(): Iterable<ResourceCache> {
    return this.#caches.values();
  }

  /** Forgets a resource that is no longer served, and ends its watches. */
  drop(prefix: string): void {
    this.#caches.get(prefix)?.reset();
    this.#caches.delete(prefix);
  }

  /** Resolves when reads of the resource see every write acknowledged before the call; undefined when they do already. */
  current(cache: ObjectTable): Promise<void> | undefined {
    if (!this.#exclusive) return this.#catchUp(cache);
    return cache.ready();
  }

  async #catchUp(cache: ObjectTable): Promise<void> {
    const revision = await this.store.revision();
    await cache.ready();
    const arrival = this.feed.catchUp(revision);
    if (arrival === undefined) return;
    await arrival;
    await cache.ready();
  }

  async put(
    cache: ObjectTable,
    key: string,
    value: Uint8Array,
    ifRevision: number,
    ttl?: number,
  ): Promise<StoredObject | WriteConflict> {
    const operation: StoreOperation = { op: "put", key, value, ifRevision, ...(ttl !== undefined && { ttl }) };
    const written = await this.store.write([operation]).catch(refuseTooLarge);
    if (!written.written) return this.#conflict(cache, key, written.revision);
    await this.feed.waitFor(written.revision);
    const behind = cache.ready();
    if (behind !== undefined) await behind;
    const object = cache.get(key);
    if (object !== undefined && object.revision === written.revision) return object;
    // Another write was faster; this one is answered with its own result.
    const slash = key.lastIndexOf("/");
    const namespace = cache.storage.namespaced ? key.slice(cache.storage.prefix.length, slash) : "";
    const place = { key, namespace, name: key.slice(slash + 1) };
    const [shown] = await cache.shown([new StoredObject(place, value, written.revision, false)]);
    return shown!;
  }

  /** The revision of the deletion. */
  async remove(cache: ObjectTable, key: string, ifRevision: number): Promise<number | WriteConflict> {
    const written = await this.store.write([{ op: "delete", key, ifRevision }]);
    if (!written.written) return this.#conflict(cache, key, written.revision);
    await this.feed.waitFor(written.revision);
    return written.revision;
  }

  async #conflict(cache: ObjectTable, key: string, revision: number): Promise<WriteConflict> {
    await this.feed.waitFor(revision);
    await cache.ready();
    return new WriteConflict(cache.get(key));
  }

  endWatches(): void {
    for (const cache of this.#caches.values()) cache.endWatches();
  }

  /** History before it is gone, as far as this server knows. */
  get compacted(): number {
    return this.#compacted;
  }

  /**
   * Gives up history before a revision; 0 gives up nothing. The decision is written down first, as in kube-apiserver: the store's revision
   * moves on, and a list continued without its history is newer than its first page. Returns the revision of that write.
   */
  async compact(revision: number): Promise<number> {
    const note = { op: "put", key: COMPACTED_KEY, value: new TextEncoder().encode(String(revision)) } as const;
    const written = await this.store.write([note]);
    if (revision > 0) {
      await this.store.compact(revision);
      this.#compacted = revision;
    }
    return written.revision;
  }

  async close(): Promise<void> {
    this.feed.close();
    for (const cache of this.#caches.values()) cache.reset();
    await this.store.close();
  }
}

/** An object that the store does not take, in the words in which kube-apiserver hands on what etcd says. */
function refuseTooLarge(error: unknown): never {
  if (!isStoreError(error, "too_large")) throw error;
  throw new StatusError(failure(undefined, "etcdserver: request is too large"));
}
