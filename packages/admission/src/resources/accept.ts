// A new policy or binding as an API server accepts it: read, defaulted, validated. Reading, defaults and validation each have their own file.

import { type AcceptedResource, gvkOf, nameOf } from "@celadon/kube";
import { inWordsOf, reportedErrors } from "@celadon/kube/errors";
import { badRequest, invalidObject } from "@celadon/kube/status";
import { emulationOf } from "@celadon/kube/versions";
import { withResourceDefaults } from "./defaults.ts";
import type { CheckingOptions } from "./expression-checks.ts";
import { type PolicyResourceKind, type ReadResource, type ResourceOf, readPolicyResource } from "./read.ts";
import { nameWarnings } from "./validate/static-names.ts";
import { validatePolicyResource } from "./validate/validate-resource.ts";

/** Reads a policy or binding as the API server does: decodes, sets defaults, validates. */
export function acceptPolicyResource<K extends PolicyResourceKind>(
  kind: K,
  object: unknown,
  options: CheckingOptions = {},
): AcceptedResource<ResourceOf<K>> {
  const { resource, error = "", errorAt, unknownFields } = readWithDefaults(kind, object);
  if (resource === undefined) {
    const unreadable = errorAt && { unreadable: errorAt };
    return { status: badRequest(error), errors: [], ...unreadable, unknownFields, warnings: [] };
  }
  const found = validatePolicyResource<K>(resource, undefined, options);
  const by = emulationOf(options.kubeVersion);
  const errors = inWordsOf(by, reportedErrors(found, by));
  const accepted = { resource, errors, unknownFields, warnings: nameWarnings(nameOf(resource), options.kubeVersion) };
  if (errors.length === 0) return accepted;
  return { ...accepted, status: invalidObject(gvkOf(resource), nameOf(resource), errors) };
}

/** With defaults; undefined when it cannot be read. */
export function readWithDefaults<K extends PolicyResourceKind>(kind: K, object: unknown): ReadResource<ResourceOf<K>> {
  const { resource, ...rest } = readPolicyResource(object, kind);
  return { ...rest, resource: resource && withResourceDefaults(resource) };
}
