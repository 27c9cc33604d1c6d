// Pods by the node they are bound to. Read on the first request of a node; then it follows the changes.

import type { Pod } from "@celadon/kube/api/core-v1";
import type { ResourceCache } from "../store/cache.ts";
import type { StoredObject } from "../store/stored-object.ts";

export class NodePods {
  readonly #pods: ResourceCache;
  readonly #byNode = new Map<string, Map<string, StoredObject>>();
  readonly #nodeOf = new Map<string, string>();
  #isFollowing = false;

  constructor(pods: ResourceCache) {
    this.#pods = pods;
  }

  async on(node: string): Promise<readonly Pod[]> {
    await this.#pods.ready();
    this.#follow();
    return [...(this.#byNode.get(node)?.values() ?? [])].map(({ object }) => object as Pod);
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    this.#byNode.clear();
    this.#nodeOf.clear();
    for (const pod of this.#pods.all()) this.#put(pod);
    this.#pods.subscribe(
      ({ type, object }) => {
        this.#remove(object.key);
        if (type !== "DELETED") this.#put(object);
      },
      () => (this.#isFollowing = false),
    );
  }

  #put(pod: StoredObject): void {
    const node = (pod.object as Pod).spec?.nodeName;
    if (!node) return;
    this.#nodeOf.set(pod.key, node);
    let pods = this.#byNode.get(node);
    if (pods === undefined) this.#byNode.set(node, (pods = new Map()));
    pods.set(pod.key, pod);
  }

  #remove(key: string): void {
    const node = this.#nodeOf.get(key);
    if (node === undefined) return;
    this.#nodeOf.delete(key);
    const pods = this.#byNode.get(node);
    pods?.delete(key);
    if (pods?.size === 0) this.#byNode.delete(node);
  }
}
