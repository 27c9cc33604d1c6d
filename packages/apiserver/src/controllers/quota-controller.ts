// The status of resource quotas: their limits, and the usage by the objects of their namespace, counted again after deletions and changes.
// Upstream: kubernetes pkg/controller/resourcequota.

import type { KubeObject } from "@celadon/kube";
import type { ResourceQuota } from "@celadon/kube/api/core-v1";
import type { LocalClient } from "../client/local-client.ts";
import { countedResources } from "../quota/evaluators.ts";
import { quantitiesOf, type ResourceList } from "../quota/pod-resources.ts";
import { usageOf } from "../quota/quota-check.ts";
import type { ResourceCache } from "../store/cache.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { callServer, QueueController } from "./controller.ts";

/** Objects that were counted before their write shall be stored when all are counted. */
const SETTLE = 300;
/** The resources whose usage a change may lower. */
const SHRINKING = [
  "/registry/core/pods/",
  "/registry/core/services/",
  "/registry/core/persistentvolumeclaims/",
  "/registry/resource.k8s.io/resourceclaims/",
];

export interface QuotaParts {
  readonly quotas: ResourceCache;
  readonly objects: ObjectStore;
  /** The cache of `pods` or `deployments.apps`; undefined when it is not served. */
  cacheOf(resource: string): ResourceCache | undefined;
  now(): number;
}

export class QuotaController extends QueueController {
  readonly name = "resourcequota";
  readonly #parts: QuotaParts;
  readonly #waiting = new Set<string>();

  constructor(parts: QuotaParts) {
    super();
    this.#parts = parts;
  }

  protected follow(): void {
    const { quotas, objects } = this.#parts;
    for (const { key } of quotas.all()) this.add(key);
    this.onStop(
      quotas.subscribe(({ object, type }) => {
        const { spec, status } = object.object as ResourceQuota;
        if (type !== "DELETED" && !isSame(spec?.hard, status?.hard)) this.add(object.key);
      }),
      objects.feed.listenAll(({ key, type }) => {
        if (quotas.size > 0 && (type === "delete" || SHRINKING.some((prefix) => key.startsWith(prefix))))
          this.#later(key);
      }),
    );
  }

  /** Counts the quotas of the namespace that a key is in. */
  #later(key: string): void {
    const { quotas } = this.#parts;
    const namespace = key.split("/")[4] ?? "";
    const [from, to] = quotas.range(`${quotas.storage.prefix}${namespace}/`);
    for (const quota of quotas.all().slice(from, to)) {
      if (this.#waiting.has(quota.key)) continue;
      this.#waiting.add(quota.key);
      this.addAfter(quota.key, SETTLE);
    }
  }

  protected async sync(client: LocalClient, key: string): Promise<void> {
    this.#waiting.delete(key);
    const quota = this.#parts.quotas.get(key)?.object as ResourceQuota | undefined;
    if (quota === undefined || quota.metadata?.deletionTimestamp) return;
    const { namespace = "", name = "" } = quota.metadata ?? {};
    const hard = (quota.spec?.hard ?? {}) as ResourceList;
    const used = usageOf(quota, await this.#objectsOf(namespace, Object.keys(hard)), this.#parts.now());
    if (isSame(hard, quota.status?.hard) && isSame(used, quota.status?.used)) return;
    const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}/status`;
    const reply = await callServer(client, "PUT", path, { ...quota, status: { hard, used } }, [404, 409]);
    if ((reply as { code?: number }).code === 409) this.add(key);
  }

  async #objectsOf(namespace: string, names: readonly string[]): Promise<ReadonlyMap<string, readonly KubeObject[]>> {
    const found = new Map<string, readonly KubeObject[]>();
    for (const resource of countedResources(names)) {
      const cache = this.#parts.cacheOf(resource);
      if (cache === undefined) continue;
      await cache.ready();
      const [from, to] = cache.range(`${cache.storage.prefix}${namespace}/`);
      const objects = cache.all().slice(from, to);
      found.set(
        resource,
        objects.map(({ object }) => object),
      );
    }
    return found;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  const [left, right] = [quantitiesOf(a as ResourceList | undefined), quantitiesOf(b as ResourceList | undefined)];
  return left.size === right.size && [...left].every(([name, quantity]) => right.get(name)?.equals(quantity) ?? false);
}
