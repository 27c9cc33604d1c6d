// Keeps the written configurations up to date: after every change of policies, of the authority, and after edits or deletions by others.
// Writes only what differs, only while leading, and never before policies are known: an empty configuration written too early would let
// everything pass.

import { type Api, ApiError, type ReflectedChange, Reflector } from "@celadon/client";
import { WorkQueue } from "@celadon/client/queue";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";

export type ConfigurationKind = "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";

const RESOURCES: Readonly<Record<ConfigurationKind, GroupVersionResource>> = {
  ValidatingWebhookConfiguration: {
    group: "admissionregistration.k8s.io",
    version: "v1",
    resource: "validatingwebhookconfigurations",
  },
  MutatingWebhookConfiguration: {
    group: "admissionregistration.k8s.io",
    version: "v1",
    resource: "mutatingwebhookconfigurations",
  },
};

export interface WriterOptions {
  readonly name: string;
  readonly kinds: readonly ConfigurationKind[];
  /** The wanted configuration; undefined while that is not known. */
  readonly wanted: (kind: ConfigurationKind) => KubeObject | undefined;
  readonly failed: (what: string, error: unknown) => void;
  /** The cluster has the wanted configuration. */
  readonly confirmed?: (kind: ConfigurationKind, wanted: KubeObject) => void;
  /** After it was written. */
  readonly wrote?: (kind: ConfigurationKind, object: KubeObject) => void;
}

export class ConfigurationWriter {
  readonly #api: Api;
  readonly #options: WriterOptions;
  readonly #queue: WorkQueue;
  readonly #watches: readonly Reflector[];
  #leads = false;

  constructor(api: Api, options: WriterOptions) {
    this.#api = api;
    this.#options = options;
    this.#queue = new WorkQueue((kind) => this.#write(kind as ConfigurationKind), { failed: options.failed });
    this.#watches = options.kinds.map((kind) => {
      const changed = (changes: readonly ReflectedChange[]): void => {
        if (changes.length > 0) this.#queue.add(kind);
      };
      return new Reflector(api, RESOURCES[kind], {
        fieldSelector: `metadata.name=${options.name}`,
        changed,
        failed: (error) => options.failed(kind, error),
      });
    });
  }

  start(): void {
    for (const watch of this.#watches) watch.start();
  }

  lead(leads: boolean): void {
    this.#leads = leads;
    if (leads) this.changed();
  }

  /** Called when the wanted configuration may have changed. */
  changed(): void {
    for (const kind of this.#options.kinds) this.#queue.add(kind);
  }

  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async stop(): Promise<void> {
    await this.#queue.stop();
    await Promise.all(this.#watches.map((watch) => watch.stop()));
  }

  async #write(kind: ConfigurationKind): Promise<undefined> {
    const wanted = this.#leads ? this.#options.wanted(kind) : undefined;
    if (wanted === undefined) return undefined;
    const resource = RESOURCES[kind];
    const { name } = this.#options;
    const current = await this.#api.find(resource, { name });
    const entries = wanted.webhooks as readonly unknown[];
    if (current === undefined) {
      // Without entries, no object is needed.
      if (entries.length > 0) {
        const written = await this.#api.create(resource, wanted);
        this.#options.wrote?.(kind, written);
      }
      this.#options.confirmed?.(kind, wanted);
      return undefined;
    }
    if (isSame(current, wanted)) {
      this.#options.confirmed?.(kind, wanted);
      return undefined;
    }
    const next: KubeObject = { ...wanted, metadata: { ...current.metadata, ...withoutForeign(current, wanted) } };
    try {
      const written = await this.#api.update(resource, { name }, next);
      this.#options.wrote?.(kind, written);
      this.#options.confirmed?.(kind, wanted);
    } catch (error) {
      // Another writer was faster; the watch delivers the new state.
      if (!(error instanceof ApiError) || error.code !== 409) throw error;
      this.#queue.add(kind);
    }
    return undefined;
  }
}

/** Labels and annotations of others stay. */
function withoutForeign(current: KubeObject, wanted: KubeObject): object {
  return {
    labels: { ...current.metadata?.labels, ...wanted.metadata?.labels },
    annotations: { ...current.metadata?.annotations, ...wanted.metadata?.annotations },
    ...(wanted.metadata?.ownerReferences && { ownerReferences: wanted.metadata.ownerReferences }),
  };
}

/** Whether the object has everything that is wanted: the server adds defaults of its own. */
function isSame(current: KubeObject, wanted: KubeObject): boolean {
  return (
    holds(current.metadata?.labels ?? {}, wanted.metadata?.labels ?? {}) &&
    holds(current.metadata?.annotations ?? {}, wanted.metadata?.annotations ?? {}) &&
    (wanted.metadata?.ownerReferences === undefined ||
      holds(current.metadata?.ownerReferences ?? [], wanted.metadata.ownerReferences)) &&
    holds(current.webhooks ?? [], wanted.webhooks)
  );
}

/** Members of objects may be more; lists must be the same. */
function holds(current: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(current) && current.length === wanted.length && wanted.every((item, i) => holds(current[i], item))
    );
  }
  if (typeof wanted !== "object" || wanted === null) return current === wanted;
  if (typeof current !== "object" || current === null) return Object.keys(wanted).length === 0;
  // An empty selector must not become a narrower one.
  if (Object.keys(wanted).length === 0) return Object.keys(current).length === 0;
  return Object.entries(wanted).every(([key, value]) =>
    holds((current as Readonly<Record<string, unknown>>)[key], value),
  );
}
