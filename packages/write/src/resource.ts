// The resource that a write is for, as far as the path needs to know it.

import { type GroupVersionKind, gvkOf } from "@celadon/kube";
import { servedKind } from "@celadon/kube/types";
import type { Minor } from "@celadon/kube/versions";

/** A resource that is written. */
export interface WrittenResource {
  readonly group: string;
  readonly version: string;
  /** `v1`, `apps/v1`. */
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** The minor that the server emulates; the newest if absent. */
  readonly minor?: Minor | undefined;
  /** By name, with the kind that is written there. */
  readonly subresources: ReadonlyMap<string, { readonly kind: GroupVersionKind }>;
  /** The group and plural under which objects are stored: events of two groups are the same objects. */
  readonly storage: { readonly group: string; readonly resource: string; readonly custom: boolean };
}

/** The resource of a built-in kind; undefined where a server of the minor does not serve it. */
export function builtinResource(apiVersion: string, kind: string, minor?: Minor): WrittenResource | undefined {
  const served = servedKind(apiVersion, kind, minor);
  if (served === undefined) return undefined;
  const { group, version, plural, namespaced, subresources } = served;
  return {
    group,
    version,
    apiVersion,
    resource: plural,
    kind,
    namespaced,
    minor,
    subresources: new Map(subresources.map((subresource) => [subresource.name, { kind: gvkOf(subresource) }])),
    storage: { group: group === "events.k8s.io" ? "" : group, resource: plural, custom: false },
  };
}
