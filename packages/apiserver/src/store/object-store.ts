// The objects of every resource: reads from the caches, writes through the store. A write is answered once the caches have it, so whoever
// was told of it also reads it, and policies that were written are in force for the next request.

import type { Operation, Store } from "@celadon/storage";
import type { StorageResource } from "../kinds/resource.ts";
import { type CacheOptions, ResourceCache } from "./cache.ts";
import { Feed } from "./feed.ts";
import { StoredObject } from "./stored-object.ts";

export interface ObjectStoreOptions {
  /** True when nobody else writes to the store: then the caches are always current. */
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

  /** The cache of a resource; the options count when it is first asked for. */
  cache(storage: StorageResource, options?: CacheOptions): ResourceCache {
    let cache = this.#caches.get(storage.prefix);
    if (cache === undefined) {
      this.#caches.set(storage.prefix, (cache = new ResourceCache(storage, this.store, this.feed, options)));
    }
    return cache;
  }

  /** Forgets a resource that is no longer served, and ends its watches. */
  drop(prefix: string): void {
    this.#caches.get(prefix)?.reset();
    this.#caches.delete(prefix);
  }

  /** Resolves when reads of the resource see every write acknowledged before the call; undefined when they do already. */
  current(cache: ResourceCache): Promise<void> | undefined {
    if (!this.#exclusive) return this.#catchUp(cache);
    return cache.ready();
  }

  async #catchUp(cache: ResourceCache): Promise<void> {
    const revision = await this.store.revision();
    await cache.ready();
    const wait = this.feed.waitFor(revision);
    if (wait === undefined) return;
    await this.store.requestProgress();
    await wait;
  }

  async put(
    cache: ResourceCache,
    key: string,
    value: Uint8Array,
    ifRevision: number,
    ttl?: number,
  ): Promise<StoredObject | WriteConflict> {
    const operation: Operation = { op: "put", key, value, ifRevision, ...(ttl !== undefined && { ttl }) };
    const written = await this.store.write([operation]);
    if (!written.written) return this.#conflict(cache, key, written.revision);
    await this.feed.waitFor(written.revision);
    const object = cache.get(key);
    if (object !== undefined && object.revision === written.revision) return object;
    // Somebody else was faster; this write is answered with what it wrote.
    const slash = key.lastIndexOf("/");
    const namespace = cache.storage.namespaced ? key.slice(cache.storage.prefix.length, slash) : "";
    return new StoredObject({ key, namespace, name: key.slice(slash + 1) }, value, written.revision, false);
  }

  /** The revision of the deletion. */
  async remove(cache: ResourceCache, key: string, ifRevision: number): Promise<number | WriteConflict> {
    const written = await this.store.write([{ op: "delete", key, ifRevision }]);
    if (!written.written) return this.#conflict(cache, key, written.revision);
    await this.feed.waitFor(written.revision);
    return written.revision;
  }

  async #conflict(cache: ResourceCache, key: string, revision: number): Promise<WriteConflict> {
    await this.feed.waitFor(revision);
    return new WriteConflict(cache.get(key));
  }

  endWatches(): void {
    for (const cache of this.#caches.values()) cache.endWatches();
  }

  async close(): Promise<void> {
    this.feed.close();
    for (const cache of this.#caches.values()) cache.reset();
    await this.store.close();
  }
}
