// A policy or binding that is written, as an API server takes it: read, defaulted, prepared, validated. The order is here and nowhere
// else; reading, defaults and validation each have a file of their own.

import { type Accepted, badRequest, type FieldError, gvkOf, invalidObject, nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import { withBindingDefaults, withPolicyDefaults } from "./defaults.ts";
import { type ReadResource, readPolicyResource } from "./read.ts";
import { nameWarnings } from "./static-names.ts";
import { validateBinding, validateBindingUpdate } from "./validate-binding.ts";
import { validatePolicy, validatePolicyUpdate } from "./validate-policy.ts";

export interface AcceptOptions<T> {
  /** The minor whose API server reads it; the current one when absent. */
  readonly kubeVersion?: Minor;
  /** What it replaces, as it is stored: some things may stay that could not be new. */
  readonly old?: T;
  /** What a server sets before it validates: metadata that an update leaves out. */
  readonly prepare?: (resource: T) => T;
}

export function acceptPolicy(
  object: unknown,
  options: AcceptOptions<ValidatingAdmissionPolicy> = {},
): Accepted<ValidatingAdmissionPolicy> {
  const { kubeVersion, old } = options;
  const server = kubeVersion === undefined ? {} : { kubeVersion };
  return accept(readPolicy(object), options, (policy) =>
    old === undefined ? validatePolicy(policy, server) : validatePolicyUpdate(policy, old, server),
  );
}

export function acceptBinding(
  object: unknown,
  options: AcceptOptions<ValidatingAdmissionPolicyBinding> = {},
): Accepted<ValidatingAdmissionPolicyBinding> {
  const { old } = options;
  return accept(readBinding(object), options, (binding) =>
    old === undefined ? validateBinding(binding) : validateBindingUpdate(binding, old),
  );
}

/** With defaults; undefined when it cannot be read. */
export function readPolicy(object: unknown): ReadResource<ValidatingAdmissionPolicy> {
  const { resource, ...rest } = readPolicyResource(object, "ValidatingAdmissionPolicy");
  return { ...rest, resource: resource && withPolicyDefaults(resource) };
}

export function readBinding(object: unknown): ReadResource<ValidatingAdmissionPolicyBinding> {
  const { resource, ...rest } = readPolicyResource(object, "ValidatingAdmissionPolicyBinding");
  return { ...rest, resource: resource && withBindingDefaults(resource) };
}

function accept<T extends ValidatingAdmissionPolicy | ValidatingAdmissionPolicyBinding>(
  { resource: read, error = "", errorAt, unknownFields }: ReadResource<T>,
  { prepare }: AcceptOptions<T>,
  validate: (resource: T) => FieldError[],
): Accepted<T> {
  if (read === undefined) {
    return {
      status: badRequest(error),
      errors: [],
      ...(errorAt && { unreadable: errorAt }),
      unknownFields,
      warnings: [],
    };
  }
  const resource = prepare?.(read) ?? read;
  const errors = validate(resource);
  const found = { resource, errors, unknownFields, warnings: nameWarnings(nameOf(resource)) };
  if (errors.length === 0) return found;
  return { ...found, status: invalidObject(gvkOf(resource), nameOf(resource), errors) };
}
