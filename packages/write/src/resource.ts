// The resource that a write is for, as far as the path needs to know it.

import type { GroupVersionKind, Minor } from "@celadon/kube";

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
