// The current objects of one resource in key order, and its recent events. Fed by the store's changes; read by gets, lists and watches.
// `revision` is that of the feed: a kind nobody writes is as fresh as any other.

import { compareKeys, type Store } from "@celadon/storage";
import type { StorageResource } from "../kinds/resource.ts";
import { ObjectEvent } from "./events.ts";
import type { ChangeListener, Feed } from "./feed.ts";
import { type Place, StoredObject } from "./stored-object.ts";

export interface CacheOptions {
  /** Keep objects parsed: for kinds the server reads on every request. */
  readonly keepParsed?: boolean;
  /** Events kept for watches that resume. */
  readonly history?: number;
}

export type EventListener = (event: ObjectEvent) => void;

const DEFAULT_HISTORY = 2_000;

export class ResourceCache {
  readonly storage: StorageResource;
  readonly #feed: Feed;
  readonly #store: Store;
  readonly #keepParsed: boolean;
  readonly #limit: number;
  readonly #byKey = new Map<string, StoredObject>();
  /** In key order. */
  #sorted: StoredObject[] = [];
  #events: ObjectEvent[] = [];
  /** Every event after this revision is among the events. */
  #historyFrom = 0;
  /** The revision of the last change. */
  #changedAt = 0;
  #loading: Promise<void> | undefined;
  #loaded = false;
  #early: { readonly change: Parameters<ChangeListener>[0]; readonly revision: number }[] = [];
  readonly #listeners = new Set<EventListener>();
  readonly #closers = new Set<() => void>();

  constructor(storage: StorageResource, store: Store, feed: Feed, options: CacheOptions = {}) {
    this.storage = storage;
    this.#store = store;
    this.#feed = feed;
    this.#keepParsed = options.keepParsed ?? false;
    this.#limit = options.history ?? DEFAULT_HISTORY;
  }

  /** Resolves when the objects are there; undefined when they are already. */
  ready(): Promise<void> | undefined {
    if (this.#loaded) return undefined;
    this.#loading ??= this.#load();
    return this.#loading;
  }

  get revision(): number {
    return this.#feed.revision;
  }

  /** The revision of the last change: a list at any later one is the same. */
  get changedAt(): number {
    return this.#changedAt;
  }

  get size(): number {
    return this.#sorted.length;
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  /** Every object in key order. Not to be changed, and only valid until the next change. */
  all(): readonly StoredObject[] {
    return this.#sorted;
  }

  /** The range of objects whose key starts with a prefix. */
  range(prefix: string): readonly [from: number, to: number] {
    if (prefix === this.storage.prefix) return [0, this.#sorted.length];
    return [this.position(prefix), this.position(`${prefix}\u{10ffff}`)];
  }

  /** Where a key stands or would stand. */
  position(key: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys(this.#sorted[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The events after a revision, or undefined when some of them are no longer kept. */
  eventsAfter(revision: number): readonly ObjectEvent[] | undefined {
    if (revision < this.#historyFrom) return undefined;
    let at = this.#events.length;
    while (at > 0 && this.#events[at - 1]!.revision > revision) at--;
    return this.#events.slice(at);
  }

  /** Every event from now on. `closed` is called when there will be none any more. */
  subscribe(listener: EventListener, closed?: () => void): () => void {
    this.#listeners.add(listener);
    if (closed !== undefined) this.#closers.add(closed);
    return () => {
      this.#listeners.delete(listener);
      if (closed !== undefined) this.#closers.delete(closed);
    };
  }

  get subscribers(): number {
    return this.#listeners.size;
  }

  /** Ends every watch and forgets the objects; the next reader loads them anew. */
  reset(): void {
    this.#feed.unlisten(this.storage.prefix);
    this.#byKey.clear();
    this.#sorted = [];
    this.#events = [];
    this.#loaded = false;
    this.#loading = undefined;
    this.#listeners.clear();
    this.endWatches();
  }

  /** Tells those who subscribed with a second listener that there will be no more events for them. */
  endWatches(): void {
    const closers = [...this.#closers];
    this.#closers.clear();
    for (const close of closers) close();
  }

  async #load(): Promise<void> {
    this.#early = [];
    this.#feed.listen(this.storage.prefix, (change, revision) => {
      if (this.#loaded) this.#apply(change, revision);
      else this.#early.push({ change, revision });
    });
    const page = await this.#store.list(this.storage.prefix);
    for (const { key, value, modRevision } of page.entries) {
      const object = this.#objectOf(key, value, modRevision);
      this.#byKey.set(key, object);
      this.#sorted.push(object);
      if (modRevision > this.#changedAt) this.#changedAt = modRevision;
    }
    this.#historyFrom = page.revision;
    await this.#feed.waitFor(page.revision);
    const early = this.#early;
    this.#early = [];
    this.#loaded = true;
    for (const { change, revision } of early) if (revision > page.revision) this.#apply(change, revision);
  }

  #apply(change: Parameters<ChangeListener>[0], revision: number): void {
    const { key } = change;
    const previous = this.#byKey.get(key);
    this.#changedAt = revision;
    if (change.type === "delete") {
      if (previous === undefined) return;
      this.#byKey.delete(key);
      this.#sorted.splice(this.position(key), 1);
      this.#tell(new ObjectEvent("DELETED", previous.at(revision), previous));
      return;
    }
    const object = this.#objectOf(key, change.entry.value, revision);
    this.#byKey.set(key, object);
    const at = this.position(key);
    if (previous === undefined) this.#sorted.splice(at, 0, object);
    else this.#sorted[at] = object;
    this.#tell(new ObjectEvent(previous === undefined ? "ADDED" : "MODIFIED", object, previous));
  }

  #tell(event: ObjectEvent): void {
    this.#events.push(event);
    if (this.#events.length > this.#limit * 1.5) {
      const gone = this.#events.length - this.#limit;
      this.#historyFrom = this.#events[gone - 1]!.revision;
      this.#events = this.#events.slice(gone);
    }
    for (const listener of this.#listeners) listener(event);
  }

  #objectOf(key: string, value: Uint8Array, revision: number): StoredObject {
    return new StoredObject(placeOf(key, this.storage), value, revision, this.#keepParsed);
  }
}

function placeOf(key: string, { prefix, namespaced }: StorageResource): Place {
  const rest = key.slice(prefix.length);
  const slash = namespaced ? rest.indexOf("/") : -1;
  return { key, namespace: slash === -1 ? "" : rest.slice(0, slash), name: rest.slice(slash + 1) };
}
