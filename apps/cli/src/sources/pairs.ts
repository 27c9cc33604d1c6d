// New objects beside the old ones they replace: the same group, kind, namespace and name, in any version.

import { gvkOf, nameOf, namespaceOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";

export interface Pairs {
  readonly created: readonly Manifest[];
  readonly updated: readonly { readonly old: Manifest; readonly new: Manifest }[];
  /** Old objects that no new one replaces. */
  readonly deleted: readonly Manifest[];
  /** The object that a new one replaces. */
  oldOf(manifest: Manifest): Manifest | undefined;
}

/**
 * `namespace` is where objects without one go. A dump of a cluster always says the namespace, manifests often do not; objects of
 * the cluster's own scope say none on either side.
 */
export function pairManifests(
  news: readonly Manifest[],
  olds: readonly Manifest[],
  namespace: string = "default",
): Pairs {
  const byKey = new Map<string, Manifest>();
  for (const old of olds) {
    const key = keyOf(old, namespace);
    if (key !== undefined) byKey.set(key, old);
  }
  const replaced = new Map<Manifest, Manifest>();
  const seen = new Set<Manifest>();
  const created: Manifest[] = [];
  const updated: { old: Manifest; new: Manifest }[] = [];
  for (const manifest of news) {
    const key = keyOf(manifest, namespace);
    const old = key === undefined ? undefined : byKey.get(key);
    if (old === undefined) {
      created.push(manifest);
    } else {
      updated.push({ old, new: manifest });
      replaced.set(manifest, old);
      seen.add(old);
    }
  }
  const deleted = [...byKey.values()].filter((old) => !seen.has(old));
  return { created, updated, deleted, oldOf: (manifest) => replaced.get(manifest) };
}

/** Undefined for objects with generated names: they are always new. */
function keyOf({ object }: Manifest, namespace: string): string | undefined {
  const { group, kind } = gvkOf(object);
  const name = nameOf(object);
  return name === "" ? undefined : JSON.stringify([group, kind, namespaceOf(object) || namespace, name]);
}
