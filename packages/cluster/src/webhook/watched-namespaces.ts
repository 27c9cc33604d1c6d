// The namespaces of a cluster, watched. The API server only sends requests for namespaces that exist, so an unknown one
// was created a moment ago: its watch event is waited for, instead of denying what policies allow. (An API server reads
// its store in this case.)

import type { NamespaceSource } from "@celadon/admission";
import { type Api, Reflector } from "@celadon/client";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";

const NAMESPACES: GroupVersionResource = { group: "", version: "v1", resource: "namespaces" };
/** Events come within milliseconds; the API server waits longer than this for an answer. */
const WAIT_MS = 2_000;

type Waiter = (namespace: KubeObject | undefined) => void;

export class WatchedNamespaces implements NamespaceSource {
  readonly reflector: Reflector;
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #waitMs: number;

  constructor(api: Api, options: { readonly failed: (error: unknown) => void; readonly waitMs?: number }) {
    this.#waitMs = options.waitMs ?? WAIT_MS;
    this.reflector = new Reflector(api, NAMESPACES, {
      changed: (changes) => {
        for (const { key, object, deleted } of changes) if (!deleted) this.#arrived(key, object);
      },
      failed: options.failed,
    });
  }

  namespace(name: string): KubeObject | undefined | Promise<KubeObject | undefined> {
    return this.reflector.objects.get(name) ?? this.#arrival(name);
  }

  #arrived(name: string, object: KubeObject): void {
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    for (const tell of waiting ?? []) tell(object);
  }

  /** Undefined when it does not come in time. */
  #arrival(name: string): Promise<KubeObject | undefined> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set<Waiter>();
      this.#waiting.set(name, waiting);
      const tell: Waiter = (namespace) => {
        clearTimeout(timer);
        waiting.delete(tell);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve(namespace);
      };
      const timer = setTimeout(() => tell(undefined), this.#waitMs);
      waiting.add(tell);
    });
  }
}
