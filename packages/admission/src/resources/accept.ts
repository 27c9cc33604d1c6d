// A policy or binding as an API server accepts it: read, defaulted, prepared, validated. The order is here and nowhere
// else; reading, defaults and validation each have their own file.

import { type AcceptedResource, gvkOf, nameOf } from "@celadon/kube";
import { type FieldError, reportedErrors } from "@celadon/kube/errors";
import { validateObjectMeta, validateObjectMetaUpdate } from "@celadon/kube/metadata";
import { checkPathSegmentName } from "@celadon/kube/names";
import { badRequest, invalidObject } from "@celadon/kube/status";
import { emulationOf } from "@celadon/kube/versions";
import { withResourceDefaults } from "./defaults.ts";
import type { CheckingOptions } from "./expression-checks.ts";
import { type PolicyResourceKind, type ReadResource, type ResourceOf, readPolicyResource } from "./read.ts";
import { nameWarnings } from "./validate/static-names.ts";
import { validatePolicyResource } from "./validate/validate-resource.ts";

/** Options for accepting a resource, created or in place of another. */
export interface AcceptOptions<T> extends CheckingOptions {
  /** The replaced resource as it is stored: some things may stay that could not be new. */
  readonly old?: T;
  /** The server's changes before validation: metadata that an update leaves out. */
  readonly prepare?: (resource: T) => T;
}

/** Reads a policy or binding as the API server does: decodes, sets defaults, validates. */
export function acceptPolicyResource<K extends PolicyResourceKind>(
  kind: K,
  object: unknown,
  options: AcceptOptions<ResourceOf<K>> = {},
): AcceptedResource<ResourceOf<K>> {
  const { old, prepare } = options;
  const { resource: read, error = "", errorAt, unknownFields } = readWithDefaults(kind, object);
  if (read === undefined) {
    const unreadable = errorAt && { unreadable: errorAt };
    return { status: badRequest(error), errors: [], ...unreadable, unknownFields, warnings: [] };
  }
  const resource = prepare?.(read) ?? read;
  const all = [...updatedMetadataErrors<K>(resource, old), ...validatePolicyResource<K>(resource, old, options)];
  const errors = reportedErrors(all, emulationOf(options.kubeVersion));
  const found = { resource, errors, unknownFields, warnings: nameWarnings(nameOf(resource)) };
  if (errors.length === 0) return found;
  return { ...found, status: invalidObject(gvkOf(resource), nameOf(resource), errors) };
}

/** Metadata is validated for every update of any kind, and then once more with the object, so its errors appeared twice before 1.37. */
function updatedMetadataErrors<K extends PolicyResourceKind>(
  resource: ResourceOf<K>,
  old?: ResourceOf<K>,
): FieldError[] {
  if (old === undefined) return [];
  return [
    ...validateObjectMeta(resource.metadata, false, checkPathSegmentName),
    ...validateObjectMetaUpdate(resource.metadata, old.metadata),
  ];
}

/** With defaults; undefined when it cannot be read. */
export function readWithDefaults<K extends PolicyResourceKind>(kind: K, object: unknown): ReadResource<ResourceOf<K>> {
  const { resource, ...rest } = readPolicyResource(object, kind);
  return { ...rest, resource: resource && withResourceDefaults(resource) };
}
