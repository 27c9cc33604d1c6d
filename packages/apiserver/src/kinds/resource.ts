// A resource as it is served: one for each group, version and plural. Built-in ones come from a table, custom ones from their definitions.

import type { GroupVersion, GroupVersionKind } from "@celadon/kube";
import type { Minor } from "@celadon/kube/versions";

/** A resource that is served. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: ReadonlyMap<string, ServedSubresource>;
  /** The minor that the server emulates; the newest if absent. */
  readonly minor?: Minor | undefined;
  /** The storage of the resource; resources that share it hold the same objects. */
  readonly storage: StorageResource;
}

/** A subresource that is served. */
export interface ServedSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind that is read or written there. */
  readonly kind: GroupVersionKind;
}

/** The place and version of a resource's stored objects. */
export interface StorageResource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Objects are below it: `/registry/apps/deployments/`. */
  readonly prefix: string;
  /** Custom resources have an other codec and strategy. */
  readonly custom: boolean;
}

export function gvkOfResource({ group, version, kind }: ServedResource): GroupVersionKind {
  return { group, version, kind };
}

/** `apps/v1`, also for a group or version that is empty. */
export function apiVersionText({ group, version }: GroupVersion): string {
  return group === "" ? version : `${group}/${version}`;
}

/** The key of an object. */
export function keyOf(storage: StorageResource, namespace: string, name: string): string {
  return storage.namespaced ? `${storage.prefix}${namespace}/${name}` : `${storage.prefix}${name}`;
}
