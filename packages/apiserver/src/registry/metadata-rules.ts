// What is done with the metadata of every object that is written, whatever its kind.

import { badRequest } from "@celadon/kube";
import type { Draft, DraftMeta, OwnerReference } from "../kinds/draft.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Notes } from "./exchange.ts";

/** A client cannot set what belongs to the server. */
export function wipeSystemFields(metadata: DraftMeta): void {
  delete metadata.creationTimestamp;
  delete metadata.uid;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** The namespace of the object is that of the request: filled in when absent, refused when another. */
export function matchNamespace(draft: Draft, resource: ServedResource, requested: string): void {
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

/** Owner references that are the same are kept once. */
export function dedupeOwners(draft: Draft, notes: Notes, afterMutation: boolean): void {
  const references = draft.metadata.ownerReferences;
  if (references === undefined || references.length < 2) return;
  const kept: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const reference of references) {
    if (kept.some((one) => sameReference(one, reference))) repeated.push(reference.uid);
    else kept.push(reference);
  }
  if (repeated.length === 0) return;
  draft.metadata.ownerReferences = kept;
  const when = afterMutation ? " after mutating admission happens" : "";
  notes.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${repeated.join(", ")}`,
  );
}

function sameReference(a: OwnerReference, b: OwnerReference): boolean {
  return (
    a.uid === b.uid &&
    a.apiVersion === b.apiVersion &&
    a.kind === b.kind &&
    a.name === b.name &&
    a.controller === b.controller &&
    a.blockOwnerDeletion === b.blockOwnerDeletion
  );
}
