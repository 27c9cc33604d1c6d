// The objects of a definition with a conversion webhook in one of its versions. Readers of such a version have their own table, as every
// version has in kube-apiserver: their objects were converted before, in batches, and nothing else waits for a webhook.
//
// The table follows the cache of the store. It converts changes at once while there are watches, and otherwise on the next read. An object
// that could not be converted is in the table too: a reader gets the error, and each further read tries again.

import { type JsonObject, pushAll } from "@celadon/base";
import type { CustomResourceType, ResourceVersion } from "@celadon/crd";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { failure } from "@celadon/kube/status";
import { encodeStored } from "../codec/encode.ts";
import type { StorageResource } from "../kinds/resource.ts";
import type { ResourceCache } from "../store/cache.ts";
import type { ObjectEvent } from "../store/events.ts";
import { ObjectTable } from "../store/object-table.ts";
import { StoredObject, withoutResourceVersion } from "../store/stored-object.ts";
import { StatusError, statusOf } from "../wire/status-error.ts";
import { ConversionFailure, type ConversionWebhook } from "./conversion-webhook.ts";

/** Bytes of objects that go into one review. */
const REVIEW_BYTES = 2 * 1024 * 1024;
/** Changes that are kept for the next reader; with more of them everything is read again. */
const MAX_PENDING = 5_000;
/** Objects converted one by one at a time, after a review of several failed. */
const SINGLE = 8;

/** An object of the store in another version, or the error of the webhook. */
export class ConvertedObject extends StoredObject {
  readonly #source: StoredObject;
  #error: StatusError | undefined;

  constructor(source: StoredObject, outcome: KubeObject | StatusError) {
    const failed = outcome instanceof StatusError;
    super(
      source,
      failed ? withoutResourceVersion(source.json, source.revision) : encodeStored(outcome),
      source.revision,
      false,
    );
    this.#source = source;
    if (failed) this.#fail(outcome);
  }

  override get source(): StoredObject {
    return this.#source;
  }

  get failed(): boolean {
    return this.#error !== undefined;
  }

  /** The result of a further attempt: everybody who holds the object sees it. */
  settle(outcome: KubeObject | StatusError): void {
    if (outcome instanceof StatusError) this.#fail(outcome);
    else {
      this.#error = undefined;
      const { json } = new StoredObject(this, encodeStored(outcome), this.revision, false);
      Object.defineProperty(this, "json", { value: json, configurable: true });
    }
  }

  #fail(error: StatusError): void {
    this.#error = error;
    Object.defineProperty(this, "json", {
      configurable: true,
      get: () => {
        throw error;
      },
    });
  }
}

/** Between the versions of a definition, through its webhook. */
export class Converter {
  readonly #type: CustomResourceType;
  readonly #webhook: ConversionWebhook;

  constructor(type: CustomResourceType, webhook: ConversionWebhook) {
    this.#type = type;
    this.#webhook = webhook;
  }

  /** An object of one version in another. */
  async convert(object: KubeObject, to: ResourceVersion): Promise<KubeObject> {
    if (object.apiVersion === to.apiVersion) return object;
    const [converted] = await this.#webhook.convert([object], to.apiVersion);
    return to.readConverted(converted as JsonObject) as KubeObject;
  }

  /** Stored objects in a version: read by the schema they were stored under, then converted; a failure is kept in the object's place. */
  async read(sources: readonly StoredObject[], to: ResourceVersion): Promise<readonly (KubeObject | StatusError)[]> {
    const outcomes = sources.map(({ object }) => this.#stored(object));
    const other = outcomes.flatMap((outcome, at) =>
      outcome instanceof StatusError || outcome.apiVersion === to.apiVersion ? [] : [at],
    );
    for (const batch of batches(other, sources)) {
      const objects = batch.map((at) => outcomes[at] as KubeObject);
      const converted = await this.#readBatch(objects, to);
      for (const [i, at] of batch.entries()) outcomes[at] = converted[i]!;
    }
    return outcomes;
  }

  #stored(object: KubeObject): KubeObject | StatusError {
    const { group, version } = gvkOf(object);
    const stored = group === this.#type.group ? this.#type.version(version) : undefined;
    if (stored !== undefined) return stored.read(object as JsonObject) as KubeObject;
    const text = `request to convert CR from an invalid group/version: ${object.apiVersion}`;
    return new StatusError(failure(undefined, text));
  }

  async #readBatch(
    objects: readonly KubeObject[],
    to: ResourceVersion,
  ): Promise<readonly (KubeObject | StatusError)[]> {
    try {
      const converted = await this.#webhook.convert(objects, to.apiVersion);
      return converted.map((object) => to.readConverted(object as JsonObject) as KubeObject);
    } catch (error) {
      const failed = new StatusError(statusOf(error));
      if (objects.length === 1 || !(error instanceof ConversionFailure) || !error.answered) {
        return objects.map(() => failed);
      }
    }
    // One of them may be to blame; the others are not to suffer from it.
    const outcomes: (KubeObject | StatusError)[] = [];
    for (let at = 0; at < objects.length; at += SINGLE) {
      const some = objects.slice(at, at + SINGLE).map((object) => this.#readBatch([object], to));
      pushAll(outcomes, (await Promise.all(some)).flat());
    }
    return outcomes;
  }
}

/** In groups of bounded size. */
function* batches(indexes: readonly number[], sources: readonly StoredObject[]): IterableIterator<readonly number[]> {
  let batch: number[] = [];
  let bytes = 0;
  for (const at of indexes) {
    const { length } = sources[at]!.json;
    if (batch.length > 0 && bytes + length > REVIEW_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(at);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}

export class ConvertedCache extends ObjectTable {
  readonly #base: ResourceCache;
  readonly #converter: Converter;
  readonly #version: ResourceVersion;
  readonly #failed = new Set<ConvertedObject>();
  /** Changes of the base that are not in this table yet, oldest first. */
  #pending: ObjectEvent[] = [];
  #loaded = false;
  #working: Promise<void> | undefined;
  #unsubscribe: () => void = () => {};

  constructor(storage: StorageResource, base: ResourceCache, converter: Converter, version: ResourceVersion) {
    super(storage);
    this.#base = base;
    this.#converter = converter;
    this.#version = version;
  }

  override ready(): Promise<void> | undefined {
    if (this.#loaded && this.#pending.length === 0 && this.#failed.size === 0) return undefined;
    return this.#catchUp();
  }

  override get revision(): number {
    const { revision } = this.#base;
    const [first] = this.#pending;
    return first === undefined ? revision : Math.min(revision, first.revision - 1);
  }

  override async shown(objects: readonly StoredObject[]): Promise<readonly StoredObject[]> {
    const outcomes = await this.#converter.read(objects, this.#version);
    return objects.map((object, at) => new ConvertedObject(object, outcomes[at]!));
  }

  override reset(): void {
    this.#unsubscribe();
    this.#unsubscribe = () => {};
    this.#loaded = false;
    this.#pending = [];
    this.#failed.clear();
    this.clear();
  }

  async #catchUp(): Promise<void> {
    await this.#base.ready();
    const until = this.#base.revision;
    const tried = new Set(this.#failed);
    while (!this.#loaded || (this.#pending[0]?.revision ?? Number.POSITIVE_INFINITY) <= until) await this.#work();
    // Only earlier failures: a fresh one is not tried twice.
    const again = [...this.#failed].filter((object) => tried.has(object));
    if (again.length > 0) await this.#retry(again);
  }

  /** One step at a time, however many wait for it. */
  #work(): Promise<void> {
    this.#working ??= (this.#loaded ? this.#step() : this.#load()).finally(() => (this.#working = undefined));
    return this.#working;
  }

  async #load(): Promise<void> {
    await this.#base.ready();
    this.#unsubscribe();
    this.#pending = [];
    // From here to the first wait nothing else happens: the objects, their revision and the changes after it fit together.
    const { revision } = this.#base;
    const sources = [...this.#base.all()];
    const unsubscribe = this.#base.subscribe(
      (event) => this.#follow(event),
      () => this.reset(),
    );
    this.#unsubscribe = unsubscribe;
    const objects = (await this.shown(sources)) as readonly ConvertedObject[];
    if (this.#unsubscribe !== unsubscribe) return;
    for (const object of objects) if (object.failed) this.#failed.add(object);
    this.fill(objects, revision);
    this.#loaded = true;
  }

  #follow(event: ObjectEvent): void {
    this.#pending.push(event);
    if (this.subscribers > 0) void this.#keepUp();
    else if (this.#pending.length > MAX_PENDING && this.#working === undefined) this.reset();
  }

  /** While there are watches, changes are converted as they come. */
  async #keepUp(): Promise<void> {
    if (this.#working !== undefined) await this.#working;
    while (this.#loaded && this.#pending.length > 0) await this.#work();
  }

  async #step(): Promise<void> {
    const events = [...this.#pending];
    const changed = events.filter(({ type }) => type !== "DELETED").map(({ object }) => object);
    const objects = (await this.shown(changed)) as readonly ConvertedObject[];
    if (!this.#loaded || this.#pending[0] !== events[0]) return;
    const last = await this.#lastStates(events, objects);
    if (!this.#loaded || this.#pending[0] !== events[0]) return;
    let at = 0;
    for (const event of events) {
      this.#pending.shift();
      if (event.type === "DELETED") {
        const gone = this.get(event.object.key);
        if (gone instanceof ConvertedObject) this.#failed.delete(gone);
        this.remove(event.object.key, event.revision, last.get(event));
      } else {
        const object = objects[at++]!;
        const before = this.get(object.key);
        if (before instanceof ConvertedObject) this.#failed.delete(before);
        if (object.failed) this.#failed.add(object);
        this.put(object);
      }
    }
  }

  /** The last state of a deleted object comes from the table; if that is an error it is tried again. */
  async #lastStates(
    events: readonly ObjectEvent[],
    converted: readonly ConvertedObject[],
  ): Promise<ReadonlyMap<ObjectEvent, StoredObject>> {
    const latest = new Map(converted.map((object) => [object.key, object]));
    const unknown = events.filter(({ type, object }) => {
      if (type !== "DELETED") return false;
      const known = latest.get(object.key) ?? this.get(object.key);
      return known instanceof ConvertedObject && known.failed;
    });
    const states = unknown.length === 0 ? [] : await this.shown(unknown.map(({ object }) => object));
    return new Map(unknown.map((event, at) => [event, states[at]!]));
  }

  async #retry(objects: readonly ConvertedObject[]): Promise<void> {
    const outcomes = await this.#converter.read(
      objects.map(({ source }) => source),
      this.#version,
    );
    for (const [at, object] of objects.entries()) {
      object.settle(outcomes[at]!);
      if (!object.failed) this.#failed.delete(object);
    }
  }
}
