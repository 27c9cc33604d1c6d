// Caches by the names of their resources: those the server itself reads.

import type { KubeObject } from "@celadon/kube";
import { builtinResources } from "../kinds/builtin.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import { keyOf, type ServedResource, type StorageResource } from "../kinds/resource.ts";
import type { ResourceCache } from "./cache.ts";
import type { ObjectStore } from "./object-store.ts";

/** There may be many of them: they are not kept parsed. */
const MANY: ReadonlySet<string> = new Set(["configmaps", "services", "pods", "secrets"]);

export class NamedCaches {
  readonly #kinds: KindTable;
  readonly #objects: ObjectStore;

  constructor(kinds: KindTable, objects: ObjectStore) {
    this.#kinds = kinds;
    this.#objects = objects;
  }

  /** The cache of a built-in resource: `pods`, `storageclasses.storage.k8s.io`. */
  of(name: string): ResourceCache {
    const { group, resource } = parsed(name);
    return this.#objects.cache(this.#storageOf(group, resource), { keepParsed: !MANY.has(resource) });
  }

  /** The same, for a cache that does not keep objects parsed. */
  unparsed(name: string): ResourceCache {
    const { group, resource } = parsed(name);
    return this.#objects.cache(this.#storageOf(group, resource));
  }

  /** The cache of a namespaced resource that is served under that name, in any version. */
  served(name: string): ResourceCache | undefined {
    const [served] = this.#kinds.versions(parsed(name));
    return served?.namespaced ? this.#objects.cache(served.storage) : undefined;
  }

  /** An object of a built-in resource. */
  object(name: string, namespace: string, objectName: string): KubeObject | undefined {
    const cache = this.of(name);
    return cache.get(keyOf(cache.storage, namespace, objectName))?.object;
  }

  objects(name: string): readonly KubeObject[] {
    return objectsIn(this.of(name));
  }

  #storageOf(group: string, resource: string): StorageResource {
    const served = this.#kinds.resource(group, "v1", resource) ?? newest().get(`${resource}.${group}`)!;
    return served.storage;
  }
}

/** Resources that an older version does not serve have no objects, and readers of them find none. */
function newest(): ReadonlyMap<string, ServedResource> {
  return new Map(builtinResources().map((resource) => [`${resource.resource}.${resource.group}`, resource]));
}

export const objectsIn = (cache: ResourceCache): readonly KubeObject[] => cache.all().map(({ object }) => object);

function parsed(name: string): { readonly group: string; readonly resource: string } {
  const dot = name.indexOf(".");
  return dot === -1 ? { group: "", resource: name } : { group: name.slice(dot + 1), resource: name.slice(0, dot) };
}
