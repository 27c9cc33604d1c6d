// Namespaces that are being deleted: everything in them goes first, then the finalizer, and with it the namespace.

import type { LocalClient } from "../client/local-client.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ResourceCache } from "../store/cache.ts";
import { ask, type Controller, WorkQueue } from "./controller.ts";

const FINALIZER = "kubernetes";
const RETRY = 200;

export class NamespaceController implements Controller {
  readonly name = "namespace";
  readonly #cache: ResourceCache;
  readonly #kinds: KindTable;
  #queue: WorkQueue | undefined;
  #unsubscribe: () => void = () => {};

  constructor(cache: ResourceCache, kinds: KindTable) {
    this.#cache = cache;
    this.#kinds = kinds;
  }

  start(client: LocalClient): void {
    const queue = new WorkQueue((name) => this.#sync(client, name));
    this.#queue = queue;
    for (const { name } of this.#cache.all()) queue.add(name);
    this.#unsubscribe = this.#cache.subscribe(({ object }) => queue.add(object.name));
  }

  stop(): void {
    this.#queue?.stop();
    this.#unsubscribe();
  }

  async #sync(client: LocalClient, name: string): Promise<void> {
    const namespace = this.#cache.get(`${this.#cache.storage.prefix}${name}`)?.object;
    if (!namespace?.metadata?.deletionTimestamp) return;
    const { finalizers = [] } = (namespace.spec ?? {}) as { finalizers?: string[] };
    if (!finalizers.includes(FINALIZER)) return;
    const left = await this.#deleteContents(client, name);
    if (left > 0) {
      this.#queue?.addAfter(name, RETRY);
      return;
    }
    const spec = { ...(namespace.spec as object), finalizers: finalizers.filter((one) => one !== FINALIZER) };
    await ask(client, "PUT", `/api/v1/namespaces/${name}/finalize`, { ...namespace, spec }, [404, 409]);
  }

  /** How many objects are still there. */
  async #deleteContents(client: LocalClient, namespace: string): Promise<number> {
    let left = 0;
    const seen = new Set<string>();
    for (const resource of [...this.#kinds.all()]) {
      const { group, version, verbs, storage, resource: plural } = resource;
      if (!resource.namespaced || !verbs.includes("list") || !verbs.includes("deletecollection")) continue;
      if (seen.has(storage.prefix)) continue;
      seen.add(storage.prefix);
      const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${root}/namespaces/${namespace}/${plural}`;
      const { items } = await ask(client, "GET", path);
      if (items.length === 0) continue;
      await ask(client, "DELETE", path, { propagationPolicy: "Background" });
      left += (await ask(client, "GET", path)).items.length;
    }
    return left;
  }
}
