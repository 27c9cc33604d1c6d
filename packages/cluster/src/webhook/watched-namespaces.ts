// The namespaces of a cluster, watched. The API server only sends requests for namespaces that exist, so an unknown one was created a
// moment ago and its watch event is on its way. The API server is asked for it meanwhile, as it asks its store: another client that names a
// namespace that does not exist gets an answer at once, and holds nothing.

import type { NamespaceSource } from "@celadon/admission";
import { type Api, Reflector } from "@celadon/client";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { checkDns1123Label } from "@celadon/kube/names";

const NAMESPACES: GroupVersionResource = { group: "", version: "v1", resource: "namespaces" };
/** Events come within milliseconds; the API server waits longer than this for an answer. */
const WAIT_MS = 2_000;
/** Namespaces that are read at once; requests for others only wait. */
const ASKED_AT_ONCE = 8;
/** Requests that wait for namespaces. */
const MOST_WAITING = 64;

type Waiter = (namespace: KubeObject | undefined) => void;

export class WatchedNamespaces implements NamespaceSource {
  readonly reflector: Reflector;
  readonly #api: Api;
  #asked = 0;
  #waiters = 0;
  readonly #waiting = new Map<string, Set<Waiter>>();
  readonly #waitMs: number;

  constructor(api: Api, options: { readonly failed: (error: unknown) => void; readonly waitMs?: number }) {
    this.#api = api;
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

  #arrived(name: string, object: KubeObject | undefined): void {
    const waiting = this.#waiting.get(name);
    this.#waiting.delete(name);
    for (const tell of waiting ?? []) tell(object);
  }

  /** Undefined when it does not come in time. */
  #arrival(name: string): Promise<KubeObject | undefined> | undefined {
    if (this.#waiters >= MOST_WAITING || checkDns1123Label(name).length > 0) return undefined;
    this.#waiters++;
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(name) ?? new Set<Waiter>();
      if (!this.#waiting.has(name)) void this.#ask(name);
      this.#waiting.set(name, waiting);
      const tell: Waiter = (namespace) => {
        clearTimeout(timer);
        this.#waiters--;
        waiting.delete(tell);
        if (waiting.size === 0 && this.#waiting.get(name) === waiting) this.#waiting.delete(name);
        resolve(namespace);
      };
      const timer = setTimeout(() => tell(undefined), this.#waitMs);
      waiting.add(tell);
    });
  }

  /** The namespace as the API server has it now. Without an answer, its event is waited for. */
  async #ask(name: string): Promise<void> {
    if (this.#asked >= ASKED_AT_ONCE) return;
    this.#asked++;
    try {
      const { items } = await this.#api.list(NAMESPACES, { fieldSelector: `metadata.name=${name}`, limit: 1 });
      this.#arrived(name, items[0]);
    } catch {
      // The API server may not answer for a moment.
    } finally {
      this.#asked--;
    }
  }
}
