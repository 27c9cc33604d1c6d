// Params of policies, watched: an informer for each kind that a bound policy names, started and stopped as policies come and go. A kind
// that cannot be watched fails alone, and only for the policies that need it.

import type { ParamSource } from "@celadon/admission";
import type { ParamKind } from "@celadon/admission/policy";
import { type Api, Reflector } from "@celadon/client";
import { type KubeObject, labelsOf, namespaceOf } from "@celadon/kube";
import type { LabelSelector } from "@celadon/kube/selectors";
import type { ServedKinds } from "./kinds.ts";

interface Watched {
  readonly reflector: Reflector;
  readonly path: string;
}

export class WatchedParams implements ParamSource {
  readonly #api: Api;
  readonly #changed: () => void;
  readonly #failed: (what: string, error: unknown) => void;
  readonly #watched = new Map<string, Watched>();
  #kinds: ServedKinds | undefined;

  constructor(
    api: Api,
    options: { readonly changed: () => void; readonly failed: (what: string, error: unknown) => void },
  ) {
    this.#api = api;
    this.#changed = options.changed;
    this.#failed = options.failed;
  }

  /** Watches these kinds and no others. Resolves when watches that are no longer needed are stopped. */
  async watch(wanted: readonly ParamKind[], kinds: ServedKinds): Promise<void> {
    this.#kinds = kinds;
    const keep = new Set<string>();
    for (const kind of wanted) {
      const served = kinds.resourceOf(kind);
      if (served === undefined) continue;
      const key = keyOf(kind);
      const path = `${served.group}/${served.version}/${served.resource}`;
      keep.add(key);
      if (this.#watched.get(key)?.path === path) continue;
      void this.#watched.get(key)?.reflector.stop();
      const reflector = new Reflector(this.#api, served, {
        changed: this.#changed,
        failed: (error) => this.#failed(`params ${kind.apiVersion} ${kind.kind}`, error),
      });
      this.#watched.set(key, { reflector, path });
      reflector.start();
      void reflector.synced.then(this.#changed);
    }
    const gone = [...this.#watched].filter(([key]) => !keep.has(key));
    for (const [key] of gone) this.#watched.delete(key);
    await Promise.all(gone.map(([, { reflector }]) => reflector.stop()));
  }

  /** The number of kinds that are watched and in sync. */
  get syncedCount(): number {
    return [...this.#watched.values()].filter(({ reflector }) => reflector.isSynced).length;
  }

  /** Resolves when every kind has been listed, or cannot be. */
  async synced(withinMs: number): Promise<void> {
    const all = Promise.all([...this.#watched.values()].map(({ reflector }) => reflector.synced));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([all, late]);
    clearTimeout(timer);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watched.values()].map(({ reflector }) => reflector.stop()));
    this.#watched.clear();
  }

  scope(kind: ParamKind): "Namespaced" | "Cluster" | undefined {
    const served = this.#kinds?.resourceOf(kind);
    return served === undefined ? undefined : served.namespaced ? "Namespaced" : "Cluster";
  }

  get(kind: ParamKind, namespace: string, name: string): KubeObject | undefined {
    return this.#objects(kind).get(namespace === "" ? name : `${namespace}/${name}`);
  }

  list(kind: ParamKind, namespace: string, selector: LabelSelector): readonly KubeObject[] {
    return [...this.#objects(kind).values()].filter(
      (object) => (namespace === "" || namespaceOf(object) === namespace) && selector.matches(labelsOf(object)),
    );
  }

  #objects(kind: ParamKind): ReadonlyMap<string, KubeObject> {
    const watched = this.#watched.get(keyOf(kind));
    if (watched === undefined || !watched.reflector.isSynced) {
      const shown = `&ParamKind{APIVersion:${kind.apiVersion},Kind:${kind.kind},}`;
      throw new Error(`paramKind kind \`${shown}\` not yet synced to use for admission`);
    }
    return watched.reflector.objects;
  }
}

const keyOf = ({ apiVersion, kind }: ParamKind): string => `${apiVersion} ${kind}`;
