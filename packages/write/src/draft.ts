// An object under work: it belongs to one request until it is stored, and is changed on its way.

import type { KubeObject } from "@celadon/kube";
import { copyEmpty } from "@celadon/kube/types";

/** An entry of `metadata.ownerReferences`. */
export interface DraftOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata of a draft. */
export interface DraftMeta {
  [field: string]: unknown;
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: DraftOwner[];
  managedFields?: unknown[];
}

/** An object under work. */
export interface Draft {
  [field: string]: unknown;
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
}

/**
 * A draft that starts from a shared object: assignments change nothing below its metadata. `given` is the object that was read, which knows
 * the lists and maps that were given empty, where the object is a copy of it.
 */
export function draftOf(object: KubeObject, given: KubeObject = object): Draft {
  const metadata = copyEmpty(given.metadata ?? {}, { ...object.metadata });
  return copyEmpty(given, { ...object, metadata }) as Draft;
}

/** The draft as an object, not to be changed through it. */
export function objectOf(draft: Draft): KubeObject {
  return draft as KubeObject;
}
