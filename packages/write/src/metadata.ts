// The rules for the metadata of every written object, of any kind.

import type { KubeObject } from "@celadon/kube";
import { type FieldError, fieldPath, type Warning } from "@celadon/kube/errors";
import { validateManagedFields, validateObjectMeta, validateObjectMetaUpdate } from "@celadon/kube/metadata";
import { checkPathSegmentName } from "@celadon/kube/names";
import { badRequest } from "@celadon/kube/status";
import type { Emulation } from "@celadon/kube/versions";
import { type Draft, type DraftMeta, type DraftOwner, draftOf, objectOf } from "./draft.ts";
import { StatusError } from "./status-error.ts";

/** A client cannot set what belongs to the server. */
export function wipeSystemFields(metadata: DraftMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** The namespace of the object must be the request's: it is filled in when absent, refused when another. */
export function matchNamespace(draft: Draft, resource: { readonly namespaced: boolean }, requested: string): void {
  const { metadata } = draft;
  const expected = resource.namespaced ? requested : "";
  const given = metadata.namespace ?? "";
  if (given === expected) {
    if (given === "") delete metadata.namespace;
    return;
  }
  if (given === "") metadata.namespace = expected;
  else if (expected === "") delete metadata.namespace;
  else {
    const text = "the namespace of the provided object does not match the namespace sent on the request";
    throw new StatusError(badRequest(text));
  }
}

/** An update is about the object its URL names. */
export function checkName(draft: Draft, name: string): void {
  const { name: given = "" } = draft.metadata;
  if (given === name) return;
  if (given === "") {
    const text = `the name of the object (${name} based on URL) was undeterminable: name must be provided`;
    throw new StatusError(badRequest(text));
  }
  throw new StatusError(badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`));
}

/** Keeps equal owner references once. */
export function dedupeOwners(draft: Draft, warn: (warning: Warning) => void, afterMutation: boolean): void {
  const references = draft.metadata.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const kept = new Map<string, DraftOwner>();
  const repeated: string[] = [];
  for (const reference of references) {
    const key = keyOf(reference);
    if (kept.has(key)) repeated.push(reference.uid);
    else kept.set(key, reference);
  }
  if (repeated.length === 0) return;
  draft.metadata.ownerReferences = [...kept.values()];
  const when = afterMutation ? " after mutating admission happens" : "";
  const text = `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`;
  warn({ text, path: fieldPath("metadata", "ownerReferences") });
}

/** For hosts without field ownership: a server puts its own record in the place of one that it cannot read. */
export function withReadableOwners(draft: Draft): Draft {
  if (validateManagedFields(objectOf(draft).metadata ?? {}).length > 0) delete draft.metadata.managedFields;
  return draft;
}

/** The draft after mutating admission; null and the draft's own object leave it as it is. */
export function afterMutation(mutated: KubeObject | null, draft: Draft, warn: (warning: Warning) => void): Draft {
  const changed = mutated === null || mutated === objectOf(draft) ? draft : draftOf(mutated);
  dedupeOwners(changed, warn, true);
  return changed;
}

/** Without vowels and similar characters, so that no words come out. */
export const NAME_ALPHABET = "bcdfghjklmnpqrstvwxz2456789";
/** The number of characters that complete a generated name. */
export const NAME_SUFFIX = 5;
const MAX_NAME = 63;

/** A `generateName` completed by a suffix; a long one is cut to leave room for it. */
export function generatedName(base: string, suffix: string): string {
  return `${base.slice(0, MAX_NAME - NAME_SUFFIX)}${suffix}`;
}

/** The errors in the metadata of an object of any kind, created or in place of another. */
export function metadataErrors(
  object: KubeObject,
  old: KubeObject | undefined,
  { namespaced }: { readonly namespaced: boolean },
  by: Emulation,
): FieldError[] {
  const metadata = object.metadata ?? {};
  return [
    ...validateObjectMeta(metadata, namespaced, checkPathSegmentName, undefined, undefined, by),
    ...validateManagedFields(metadata),
    ...(old === undefined ? [] : validateObjectMetaUpdate(metadata, old.metadata ?? {}, undefined, by)),
  ];
}

/** Equal for equal references. */
function keyOf({ uid, apiVersion, kind, name, controller, blockOwnerDeletion }: DraftOwner): string {
  return JSON.stringify([uid, apiVersion, kind, name, controller, blockOwnerDeletion]);
}
