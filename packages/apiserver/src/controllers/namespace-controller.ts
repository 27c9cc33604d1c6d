// Namespaces that are being deleted: everything in them goes first, then the finalizer, and with it the namespace.

import { semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { LocalClient } from "../client/local-client.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ResourceCache } from "../store/cache.ts";
import { callServer, pathOf, QueueController } from "./controller.ts";
import { type Condition, deletionConditions, type Remaining } from "./deletion-conditions.ts";

const FINALIZER = "kubernetes";
const RETRY = 200;

export class NamespaceController extends QueueController {
  readonly name = "namespace";
  readonly #cache: ResourceCache;
  readonly #kinds: KindTable;
  readonly #now: () => string;

  constructor(cache: ResourceCache, kinds: KindTable, now: () => string) {
    super();
    this.#now = now;
    this.#cache = cache;
    this.#kinds = kinds;
  }

  protected follow(): void {
    for (const { name } of this.#cache.all()) this.add(name);
    this.onStop(this.#cache.subscribe(({ object }) => this.add(object.name)));
  }

  protected async sync(client: LocalClient, name: string): Promise<void> {
    const namespace = this.#cache.get(`${this.#cache.storage.prefix}${name}`)?.object;
    if (!namespace?.metadata?.deletionTimestamp) return;
    const { finalizers = [] } = (namespace.spec ?? {}) as { finalizers?: string[] };
    if (!finalizers.includes(FINALIZER)) return;
    const left = await this.#deleteContents(client, name);
    if (left.length > 0) {
      await this.#tell(client, namespace, left);
      this.addAfter(name, RETRY);
      return;
    }
    const spec = {
      ...(namespace.spec as object),
      finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER),
    };
    await callServer(client, "PUT", `/api/v1/namespaces/${name}/finalize`, { ...namespace, spec }, [404, 409]);
  }

  /**
   * Deletes the contents of a namespace, and returns the remaining objects. Pods go first: they may need what else is in the namespace
   * until they end.
   */
  async #deleteContents(client: LocalClient, namespace: string): Promise<readonly Remaining[]> {
    const left: Remaining[] = [];
    const seen = new Set<string>();
    const isPods = ({ group, resource }: ServedResource): boolean => group === "" && resource === "pods";
    const resources = [...this.#kinds.all()].sort((a, b) => Number(isPods(b)) - Number(isPods(a)));
    for (const resource of resources) {
      const { verbs, storage } = resource;
      if (!resource.namespaced || !verbs.includes("list") || !verbs.includes("deletecollection")) continue;
      if (seen.has(storage.prefix)) continue;
      seen.add(storage.prefix);
      const path = pathOf(resource, namespace);
      const { items } = await callServer(client, "GET", path);
      if (items.length === 0) continue;
      await callServer(client, "DELETE", path, { propagationPolicy: "Background" });
      const { items: rest } = await callServer(client, "GET", path);
      if (rest.length > 0) left.push({ resource, objects: rest });
      if (rest.length > 0 && isPods(resource)) break;
    }
    return left;
  }

  /** Says in the status what keeps the namespace. */
  async #tell(client: LocalClient, namespace: KubeObject, left: readonly Remaining[]): Promise<void> {
    const { conditions: before = [], ...status } = (namespace.status ?? {}) as { conditions?: Condition[] };
    const conditions = deletionConditions(left, before, this.#now());
    if (semanticEqual(conditions, before)) return;
    const path = `/api/v1/namespaces/${namespace.metadata?.name}/status`;
    await callServer(client, "PUT", path, { ...namespace, status: { ...status, conditions } }, [404, 409]);
  }
}
