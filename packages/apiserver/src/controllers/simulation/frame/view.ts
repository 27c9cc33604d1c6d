// The objects of one resource as data, by namespace. Stand-ins look at all objects of a namespace for every change, which must not parse them
// each time.

import type { KubeObject } from "@celadon/kube";
import type { ResourceCache } from "../../../store/cache.ts";

/** An object after a change, and before it. */
export type ChangeOf<T> = (now: T | undefined, before: T | undefined) => void;

export class View<T extends object> {
  readonly #cache: ResourceCache;
  readonly #byNamespace = new Map<string, Map<string, T>>();
  readonly #listeners = new Set<ChangeOf<T>>();
  #end: (() => void) | undefined;

  constructor(cache: ResourceCache) {
    this.#cache = cache;
  }

  async start(): Promise<void> {
    await this.#cache.ready();
    for (const { namespace, name, object } of this.#cache.all()) this.#put(namespace, name, object as KubeObject & T);
    this.#end = this.#cache.subscribe(({ object: { namespace, name, object }, type }) => {
      const before = this.get(namespace, name);
      const now = type === "DELETED" ? undefined : (object as KubeObject & T);
      if (now === undefined) this.#byNamespace.get(namespace)?.delete(name);
      else this.#put(namespace, name, now);
      for (const listener of this.#listeners) listener(now, before);
    });
  }

  stop(): void {
    this.#end?.();
    this.#listeners.clear();
    this.#byNamespace.clear();
  }

  get(namespace: string, name: string): T | undefined {
    return this.#byNamespace.get(namespace)?.get(name);
  }

  in(namespace: string): readonly T[] {
    return [...(this.#byNamespace.get(namespace)?.values() ?? [])];
  }

  all(): readonly T[] {
    return [...this.#byNamespace.values()].flatMap((objects) => [...objects.values()]);
  }

  /** Calls the listener for every object there is, and for every change from now on. */
  follow(listener: ChangeOf<T>): void {
    for (const object of this.all()) listener(object, undefined);
    this.#listeners.add(listener);
  }

  #put(namespace: string, name: string, object: T): void {
    let objects = this.#byNamespace.get(namespace);
    if (objects === undefined) this.#byNamespace.set(namespace, (objects = new Map()));
    objects.set(name, object);
  }
}
