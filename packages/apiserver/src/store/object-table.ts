// Objects of one resource in key order, and its recent events: what gets, lists and watches read. The code that fills it knows the source
// of the objects: the store (cache.ts), or a webhook that converts those of the store to another version.

import type { StorageResource } from "../kinds/resource.ts";
import { ObjectEvent } from "./events.ts";
import { SortedObjects } from "./sorted-objects.ts";
import type { StoredObject } from "./stored-object.ts";

export type EventListener = (event: ObjectEvent) => void;

const DEFAULT_HISTORY = 2_000;

export abstract class ObjectTable {
  readonly storage: StorageResource;
  readonly #limit: number;
  readonly #byKey = new Map<string, StoredObject>();
  readonly #sorted = new SortedObjects();
  #events: ObjectEvent[] = [];
  /** Every event after this revision is among the events. */
  #historyFrom = 0;
  /** The revision of the last change. */
  #changedAt = 0;
  #bytes = 0;
  readonly #listeners = new Set<EventListener>();
  readonly #closers = new Set<() => void>();

  /** `history`: events kept for watches that resume. */
  constructor(storage: StorageResource, history: number = DEFAULT_HISTORY) {
    this.storage = storage;
    this.#limit = history;
  }

  /** Resolves when the objects are loaded and current; undefined if they are already. */
  abstract ready(): Promise<void> | undefined;

  /** Everything up to here is in the table. */
  abstract get revision(): number;

  /** Ends every watch and forgets the objects; the next reader loads them again. */
  abstract reset(): void;

  /** Objects as the store holds them, as this table shows them. */
  shown(objects: readonly StoredObject[]): readonly StoredObject[] | Promise<readonly StoredObject[]> {
    return objects;
  }

  /** The revision of the last change: a list at any later one is the same. */
  get changedAt(): number {
    return this.#changedAt;
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Bytes of all objects. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): StoredObject | undefined {
    return this.#byKey.get(key);
  }

  /** Every object in key order. Not to be changed, and only valid until the next change. */
  all(): readonly StoredObject[] {
    return this.#sorted.all();
  }

  /** The range of objects whose key starts with a prefix. */
  range(prefix: string): readonly [from: number, to: number] {
    if (prefix === this.storage.prefix) return [0, this.#byKey.size];
    return [this.position(prefix), this.position(`${prefix}\u{10ffff}`)];
  }

  /** The position of a key, or that at which it would be. */
  position(key: string): number {
    return this.#sorted.position(key);
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

  /** Calls the second listener of subscribers: there will be no more events for them. */
  endWatches(): void {
    const closers = [...this.#closers];
    this.#closers.clear();
    for (const close of closers) close();
  }

  /** All objects of a revision, in key order; earlier events are unknown. */
  protected fill(objects: Iterable<StoredObject>, revision: number): void {
    for (const object of objects) {
      this.#byKey.set(object.key, object);
      this.#sorted.append(object);
      this.#bytes += object.size;
      if (object.revision > this.#changedAt) this.#changedAt = object.revision;
    }
    this.#historyFrom = revision;
  }

  /** Forgets objects, events and listeners, and ends every watch. */
  protected clear(): void {
    this.#byKey.clear();
    this.#sorted.clear();
    this.#bytes = 0;
    this.#events = [];
    this.#listeners.clear();
    this.endWatches();
  }

  /** An object that was created or changed. */
  protected put(object: StoredObject): void {
    const { key } = object;
    const previous = this.#byKey.get(key);
    this.#changedAt = object.revision;
    this.#byKey.set(key, object);
    this.#sorted.put(object);
    this.#bytes += object.size - (previous?.size ?? 0);
    this.#tell(new ObjectEvent(previous === undefined ? "ADDED" : "MODIFIED", object, previous));
  }

  /** An object that was deleted; `last` is its last state under the revision of the deletion. */
  protected remove(key: string, revision: number, last?: StoredObject): void {
    const previous = this.#byKey.get(key);
    this.#changedAt = revision;
    if (previous === undefined) return;
    this.#byKey.delete(key);
    this.#sorted.remove(key);
    this.#bytes -= previous.size;
    this.#tell(new ObjectEvent("DELETED", last ?? previous.at(revision), previous));
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
}
