// Objects as bytes: for the store, and for answers. Kind and apiVersion come first and metadata begins with name, namespace and uid, which is
// what StoredObject relies on to put a resource version in its place.

import { toJson } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";

type Json = Record<string, unknown>;

/** For the store: without a resource version, and without a link that a client sent. */
export function encodeStored(object: KubeObject): Buffer {
  const { kind, apiVersion, metadata, ...rest } = object as Json;
  return Buffer.from(toJson({ kind, apiVersion, metadata: ordered(metadata as Json), ...rest }));
}

/** For an answer. */
export function encodeObject(object: KubeObject): Buffer {
  const { kind, apiVersion, metadata, ...rest } = object as Json;
  if (metadata === undefined) return Buffer.from(toJson({ kind, apiVersion, ...rest }));
  const { selfLink, resourceVersion } = metadata as Json;
  const own = ordered(metadata as Json, selfLink, resourceVersion);
  return Buffer.from(toJson({ kind, apiVersion, metadata: own, ...rest }));
}

/** In the order people are used to; the same metadata always gives the same bytes. */
function ordered(metadata: Json, selfLink?: unknown, resourceVersion?: unknown): Json {
  return {
    name: metadata.name,
    generateName: metadata.generateName,
    namespace: metadata.namespace,
    selfLink,
    uid: metadata.uid,
    resourceVersion,
    generation: metadata.generation,
    creationTimestamp: metadata.creationTimestamp,
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds,
    labels: metadata.labels,
    annotations: metadata.annotations,
    ownerReferences: metadata.ownerReferences,
    finalizers: metadata.finalizers,
    managedFields: metadata.managedFields,
  };
}
