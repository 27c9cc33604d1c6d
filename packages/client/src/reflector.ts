// Keeps a copy of a collection up to date: list in pages, then watch from there, again and again. A gap is never
// silent: whenever a watch ends without a known version, the collection is listed and compared with the copy, so every
// change is reported once.

import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { nameOf, namespaceOf } from "@celadon/kube";
import { type Api, ApiError } from "./api.ts";
import { Backoff, sleep } from "./backoff.ts";
import type { Scope } from "./resource.ts";
import { ConnectionError } from "./transport.ts";
import { watchEvents } from "./watch.ts";

/** A change of an object that is watched. */
export interface ReflectedChange {
  readonly key: string;
  readonly object: KubeObject;
  /** Absent for an object that is new. */
  readonly old?: KubeObject;
  readonly deleted: boolean;
}

/** The objects to keep. */
export interface ReflectorOptions extends Scope {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** The part of an object that is kept; managedFields are dropped unless this keeps them. */
  readonly transform?: (object: KubeObject) => KubeObject;
  /** All changes of a list at once, then each of the watch. Must not throw. */
  readonly changed: (changes: readonly ReflectedChange[]) => void;
  /** A list or watch failed and will be tried again. */
  readonly failed?: (error: unknown) => void;
  readonly pageSize?: number;
  readonly stallMs?: number;
  readonly random?: () => number;
}

const PAGE = 500;
/** The server ends watches between 5 and 10 minutes, so that replicas of it are used evenly. */
const WATCH_SECONDS = 300;
/** API servers send a bookmark a minute; two missed ones and a reserve. */
const STALL_MS = 150_000;
/** A watch that ends sooner without an event was none; client-go's. */
const SHORT_MS = 1_000;

/** `namespace/name`, or the name alone. */
export function keyOf(object: KubeObject): string {
  const namespace = namespaceOf(object);
  return namespace === "" ? nameOf(object) : `${namespace}/${nameOf(object)}`;
}

/** Keeps a copy of a resource by listing and watching it. */
export class Reflector {
  readonly resource: GroupVersionResource;
  readonly #api: Api;
  readonly #options: ReflectorOptions;
  readonly #objects = new Map<string, KubeObject>();
  readonly #stop = new AbortController();
  readonly #backoff: Backoff;
  #synced: (() => void) | undefined;
  #done: Promise<void> | undefined;
  #version = "";
  #lastContact = 0;

  /** Resolves when the first list is in. */
  readonly synced: Promise<void>;
  isSynced = false;

  constructor(api: Api, resource: GroupVersionResource, options: ReflectorOptions) {
    this.resource = resource;
    this.#api = api;
    this.#options = options;
    const random = options.random ?? Math.random;
    this.#backoff = new Backoff({ firstMs: 800, mostMs: 10_000, random });
    this.synced = new Promise((resolve) => {
      this.#synced = resolve;
    });
  }

  /** By key. Its objects must not be changed. */
  get objects(): ReadonlyMap<string, KubeObject> {
    return this.#objects;
  }

  /** Milliseconds of the clock when the server was last heard of; 0 before. */
  get lastContact(): number {
    return this.#lastContact;
  }

  start(): void {
    this.#done ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isListing = this.#version === "";
      try {
        if (isListing) await this.#list();
        await this.#watch();
        this.#backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        const wasGone = isGone(error);
        if (wasGone) this.#version = ""; // what happened meanwhile is only in a list
        // At once, but not again and again: a list may take longer than the server keeps its version.
        if (wasGone && !isListing) continue;
        this.#options.failed?.(error);
        await sleep(this.#backoff.next(), signal);
      }
    }
  }

  async #list(): Promise<void> {
    const { namespace, labelSelector, fieldSelector, pageSize = PAGE } = this.#options;
    const { signal } = this.#stop;
    const selectors = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
    const seen = new Map<string, KubeObject>();
    let version = "";
    for await (const page of this.#api.pages(this.resource, { namespace, ...selectors, limit: pageSize, signal })) {
      version = page.resourceVersion;
      for (const item of page.items) {
        const object = this.#kept(item);
        seen.set(keyOf(object), object);
      }
    }
    this.#contact();
    this.#replace(seen);
    this.#version = version;
    this.isSynced = true;
    this.#synced?.();
  }

  /** The copy becomes the list; differences are reported. */
  #replace(listed: ReadonlyMap<string, KubeObject>): void {
    const changes: ReflectedChange[] = [];
    for (const [key, old] of this.#objects)
      if (!listed.has(key)) changes.push({ key, object: old, old, deleted: true });
    for (const [key, object] of listed) {
      const old = this.#objects.get(key);
      if (old === undefined) changes.push({ key, object, deleted: false });
      else if (versionOf(old) !== versionOf(object)) changes.push({ key, object, old, deleted: false });
    }
    this.#objects.clear();
    for (const [key, object] of listed) this.#objects.set(key, object);
    if (changes.length > 0) this.#options.changed(changes);
  }

  async #watch(): Promise<void> {
    const { namespace, labelSelector, fieldSelector, stallMs = STALL_MS, random = Math.random } = this.#options;
    const events = watchEvents(this.#api, this.resource, {
      namespace,
      ...(labelSelector && { labelSelector }),
      ...(fieldSelector && { fieldSelector }),
      resourceVersion: this.#version,
      timeoutSeconds: Math.round(WATCH_SECONDS * (1 + random())),
      stallMs,
      signal: this.#stop.signal,
    });
    const started = performance.now();
    let isEmpty = true;
    for await (const { type, object } of events) {
      isEmpty = false;
      this.#contact();
      this.#backoff.reset();
      if (type !== "BOOKMARK") this.#take(type === "DELETED", this.#kept(object));
      const version = versionOf(object);
      if (version !== "") this.#version = version;
    }
    // A proxy that ends every watch at once must not be asked in a busy loop.
    if (isEmpty && performance.now() - started < SHORT_MS && !this.#stop.signal.aborted)
      throw new ConnectionError(`watch of ${this.resource.resource}: it ended at once`);
  }

  #take(deleted: boolean, object: KubeObject): void {
    const key = keyOf(object);
    const old = this.#objects.get(key);
    if (deleted) this.#objects.delete(key);
    else this.#objects.set(key, object);
    this.#options.changed([{ key, object, ...(old !== undefined && { old }), deleted }]);
  }

  #kept(object: KubeObject): KubeObject {
    return (this.#options.transform ?? withoutManagedFields)(object);
  }

  #contact(): void {
    this.#lastContact = Date.now();
  }
}

/** An object without managedFields, which take memory and are seldom read. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  const { metadata } = object;
  if (metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...rest } = metadata;
  return { ...object, metadata: rest };
}

function versionOf(object: KubeObject): string {
  return object.metadata?.resourceVersion ?? "";
}

/** The requested version is too old, or the page's token is. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 410 || error.status.reason === "Expired");
}
