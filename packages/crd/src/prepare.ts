// Sets and resets fields before an object is validated, as the server does: generation, status, and metadata that a client cannot change.

import { deepEqual, isRecord, type JsonObject, own } from "@celadon/base";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import type { ResourceVersion } from "./resource.ts";

/** A definition that is created, or replaces `old`. */
export function prepareDefinition(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): CustomResourceDefinition {
  return old === undefined ? forCreate(definition) : forUpdate(definition, old);
}

function storageVersions(definition: CustomResourceDefinition, stored: readonly string[]): readonly string[] {
  const storage = definition.spec.versions?.find((version) => version.storage);
  const { name = "" } = storage ?? {};
  return storage === undefined || stored.includes(name) ? stored : [...stored, name];
}

function forCreate(definition: CustomResourceDefinition): CustomResourceDefinition {
  const status = {
    conditions: null,
    acceptedNames: { plural: "", kind: "" },
    storedVersions: storageVersions(definition, []),
  };
  return { ...definition, metadata: { ...definition.metadata, generation: 1 }, status };
}

function forUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): CustomResourceDefinition {
  const before = old.metadata.generation ?? 0;
  const generation = deepEqual(definition.spec, old.spec) ? before : before + 1;
  const storedVersions = storageVersions(definition, old.status?.storedVersions ?? []);
  const metadata = { ...inherited(definition.metadata as JsonObject, old.metadata as JsonObject), generation };
  return { ...definition, metadata, status: { ...old.status, storedVersions } };
}

/** The fields that an update may leave out, because the server fills them in. */
function inherited(metadata: JsonObject, old: JsonObject): JsonObject {
  const filled: JsonObject = { ...metadata };
  for (const key of [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
  ]) {
    if (!filled[key] && old[key] !== undefined) filled[key] = old[key];
  }
  // Without a store there is no version to conflict with.
  filled.resourceVersion ??= "0";
  return filled;
}

/** Create cannot set status where it has its own endpoint. */
export function prepareCreate(version: ResourceVersion, decoded: JsonObject): JsonObject {
  const object = { ...decoded, metadata: { ...metadataOf(decoded), generation: 1 } } as JsonObject;
  if (version.hasStatus) delete object.status;
  return object;
}

/** Update keeps the old status where it has its own endpoint; the generation counts changes beside metadata. */
export function prepareUpdate(version: ResourceVersion, decoded: JsonObject, old: JsonObject): JsonObject {
  const object = { ...decoded };
  if (version.hasStatus) {
    if (Object.hasOwn(old, "status")) object.status = old.status;
    else delete object.status;
  }
  const metadata = inherited(metadataOf(decoded), metadataOf(old));
  const generation = Number(metadataOf(old).generation ?? 0);
  metadata.generation = sameBesideMetadata(object, old) ? generation : generation + 1;
  object.metadata = metadata;
  return object;
}

/** The old object with the status of the new one. */
export function prepareStatusUpdate(decoded: JsonObject, old: JsonObject): JsonObject {
  const object: JsonObject = { ...old, metadata: inherited(metadataOf(old), {}) };
  if (Object.hasOwn(decoded, "status")) object.status = decoded.status;
  else delete object.status;
  return object;
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = own(object, "metadata");
  return isRecord(metadata) ? metadata : {};
}

function sameBesideMetadata(a: JsonObject, b: JsonObject): boolean {
  return deepEqual({ ...a, metadata: undefined }, { ...b, metadata: undefined });
}
