// The objects that name others as their owners, by key. Only objects with owner references are kept, so the graph is as large as they are
// many; an owner is known by the place its reference names, whether it exists or not.

import type { GroupVersionKind } from "@celadon/kube";
import { gvkOf, type KubeObject } from "@celadon/kube";
import type { DraftOwner } from "@celadon/write";
import type { KindTable } from "../kinds/kind-table.ts";
import { keyOf, type ServedResource } from "../kinds/resource.ts";
import { parseHead } from "../store/stored-head.ts";

/** The text in the JSON of an object with owners; the rest is not parsed. */
const MARK = Buffer.from('"ownerReferences":[');

export interface Dependent {
  readonly key: string;
  readonly gvk: GroupVersionKind;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly DraftOwner[];
}

export class OwnerGraph {
  readonly #kinds: KindTable;
  readonly #dependents = new Map<string, Dependent>();
  /** Keys of dependents by the uid of their owner. */
  readonly #byOwner = new Map<string, Set<string>>();
  /** Uids by the key of the owner they were named with. */
  readonly #uidsAt = new Map<string, Set<string>>();

  constructor(kinds: KindTable) {
    this.#kinds = kinds;
  }

  /** Takes the state of an object; returns it when it has owners. */
  put(key: string, value: Uint8Array): Dependent | undefined {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const dependent = bytes.includes(MARK) ? dependentOf(key, parseHead(value)) : undefined;
    this.remove(key);
    if (dependent === undefined) return undefined;
    this.#dependents.set(key, dependent);
    for (const owner of dependent.owners) {
      entry(this.#byOwner, owner.uid).add(key);
      const place = this.placeOf(owner, dependent.namespace);
      if (place !== undefined) entry(this.#uidsAt, place.key).add(owner.uid);
    }
    return dependent;
  }

  remove(key: string): void {
    const before = this.#dependents.get(key);
    if (before === undefined) return;
    this.#dependents.delete(key);
    for (const { uid } of before.owners) {
      const keys = this.#byOwner.get(uid);
      keys?.delete(key);
      if (keys?.size === 0) this.#byOwner.delete(uid);
    }
  }

  get(key: string): Dependent | undefined {
    return this.#dependents.get(key);
  }

  dependentsOf(uid: string): readonly Dependent[] {
    return [...(this.#byOwner.get(uid) ?? [])].flatMap((key) => this.#dependents.get(key) ?? []);
  }

  /** Dependents of the present or former object at a place. */
  dependentsAt(key: string): readonly Dependent[] {
    const uids = this.#uidsAt.get(key);
    if (uids === undefined) return [];
    const found = [...uids].flatMap((uid) => this.dependentsOf(uid));
    if (found.length === 0) this.#uidsAt.delete(key);
    return found;
  }

  /** The place of an owner; undefined when its kind is not served. A namespaced owner is in the namespace of its dependents. */
  placeOf(
    owner: DraftOwner,
    namespace: string,
  ): { readonly key: string; readonly resource: ServedResource } | undefined {
    const resource = this.#kinds.kind(gvkOf(owner));
    if (resource === undefined) return undefined;
    return { key: keyOf(resource.storage, namespace, owner.name), resource };
  }
}

function dependentOf(key: string, object: KubeObject): Dependent | undefined {
  const {
    ownerReferences: owners = [],
    namespace = "",
    name = "",
  } = (object.metadata ?? {}) as {
    ownerReferences?: readonly DraftOwner[];
    namespace?: string;
    name?: string;
  };
  return owners.length === 0 ? undefined : { key, gvk: gvkOf(object), namespace, name, owners };
}

function entry(map: Map<string, Set<string>>, key: string): Set<string> {
  let set = map.get(key);
  if (set === undefined) map.set(key, (set = new Set()));
  return set;
}
