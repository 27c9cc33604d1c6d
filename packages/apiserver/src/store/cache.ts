// The current objects of one resource as the store holds them, fed by the store's changes. The feed gives the `revision`: a kind without
// writes is as fresh as any other.

import type { Store } from "@celadon/storage";
import type { StorageResource } from "../kinds/resource.ts";
import type { ChangeListener, Feed } from "./feed.ts";
import { ObjectTable } from "./object-table.ts";
import { StoredObject, type StoredPlace } from "./stored-object.ts";

export interface CacheOptions {
  /** Keep objects parsed: for kinds the server reads on every request. */
  readonly keepParsed?: boolean;
  /** Events kept for watches that resume. */
  readonly history?: number;
}

export class ResourceCache extends ObjectTable {
  readonly #feed: Feed;
  readonly #store: Store;
  readonly #keepParsed: boolean;
  #loading: Promise<void> | undefined;
  #loaded = false;
  #early: { readonly change: Parameters<ChangeListener>[0]; readonly revision: number }[] = [];

  constructor(storage: StorageResource, store: Store, feed: Feed, options: CacheOptions = {}) {
    super(storage, options.history);
    this.#store = store;
    this.#feed = feed;
    this.#keepParsed = options.keepParsed ?? false;
  }

  override ready(): Promise<void> | undefined {
    if (this.#loaded) return undefined;
    this.#loading ??= this.#load();
    return this.#loading;
  }

  override get revision(): number {
    return this.#feed.revision;
  }

  override reset(): void {
    this.#feed.unlisten(this.storage.prefix);
    this.#loaded = false;
    this.#loading = undefined;
    this.clear();
  }

  async #load(): Promise<void> {
    this.#early = [];
    this.#feed.listen(this.storage.prefix, (change, revision) => {
      if (this.#loaded) this.#apply(change, revision);
      else this.#early.push({ change, revision });
    });
    const page = await this.#store.list(this.storage.prefix);
    this.fill(
      page.entries.map(({ key, value, modRevision }) => this.#objectOf(key, value, modRevision)),
      page.revision,
    );
    await this.#feed.waitFor(page.revision);
    const early = this.#early;
    this.#early = [];
    this.#loaded = true;
    for (const { change, revision } of early) if (revision > page.revision) this.#apply(change, revision);
  }

  #apply(change: Parameters<ChangeListener>[0], revision: number): void {
    if (change.type === "delete") this.remove(change.key, revision);
    else this.put(this.#objectOf(change.key, change.entry.value, revision));
  }

  #objectOf(key: string, value: Uint8Array, revision: number): StoredObject {
    return new StoredObject(placeOf(key, this.storage), value, revision, this.#keepParsed);
  }
}

function placeOf(key: string, { prefix, namespaced }: StorageResource): StoredPlace {
  const rest = key.slice(prefix.length);
  const slash = namespaced ? rest.indexOf("/") : -1;
  return { key, namespace: slash === -1 ? "" : rest.slice(0, slash), name: rest.slice(slash + 1) };
}
