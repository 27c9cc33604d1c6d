// Policies and bindings of a cluster as the engine takes them. They come from the API server's own group, or from our group on clusters
// without those kinds and for fields that no cluster has; no API server has validated those, so it is done here.

import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@celadon/admission/policy";
import { type Gates, type OWN_GROUP, withGatedFields } from "@celadon/admission/proposals";
import {
  ADMISSION_REGISTRATION,
  type PolicyResourceKind,
  readPolicyResource,
  validateBinding,
  validateMutatingBinding,
  validateMutatingPolicy,
  validatePolicy,
  withBindingDefaults,
  withPolicyDefaults,
} from "@celadon/admission/resources";
import type { PolicyCompiler } from "@celadon/admission/steps";
import type { KubeObject } from "@celadon/kube";
import { type FieldError, fieldErrorsText } from "@celadon/kube/errors";

export { OWN_GROUP, POLICY_KINDS, type PolicyKindSource } from "@celadon/admission/proposals";

/** The API group that policies come from. */
export type PolicyGroup = typeof ADMISSION_REGISTRATION | typeof OWN_GROUP;

export type PolicyObject =
  | ValidatingAdmissionPolicy
  | ValidatingAdmissionPolicyBinding
  | MutatingAdmissionPolicy
  | MutatingAdmissionPolicyBinding;

export interface ReadPolicy {
  /** The enforced resource; absent if it is unreadable. */
  readonly resource?: PolicyObject;
  /** Why an API server would not have stored it. */
  readonly rejected?: string;
  readonly errors: readonly FieldError[];
}

/**
 * An expression that does not compile is an error of every request that the policy matches, and its failure policy decides, as in an API
 * server: a mistake in a policy that was stored unchecked must not allow requests. Other mistakes leave nothing to enforce. With the
 * compiler of a policy set, validated expressions are not compiled again there.
 */
export function readPolicyObject(
  object: KubeObject,
  as: PolicyResourceKind,
  gates: Gates,
  compiler?: PolicyCompiler,
): ReadPolicy {
  const builtin = (object.apiVersion ?? "").startsWith(`${ADMISSION_REGISTRATION}/`);
  const document = builtin ? object : { ...object, apiVersion: `${ADMISSION_REGISTRATION}/v1`, kind: as };
  const { resource, error = `not a ${as}`, unknownFields } = readPolicyResource(document, as);
  if (resource === undefined) return { rejected: error, errors: [] };
  const read = withDefaults(resource);
  // The API server accepted its own kinds when they were written, and has none of the fields below.
  if (builtin) return { resource: read, errors: [] };
  const { resource: gated, errors: gatedErrors } = withGatedFields(read, document, unknownFields, gates);
  const errors = [...errorsOf(gated, compiler), ...gatedErrors];
  if (errors.length === 0) return { resource: gated, errors };
  const isEnforceable = errors.every(({ expression }) => expression !== undefined);
  return { ...(isEnforceable && { resource: gated }), rejected: fieldErrorsText(errors), errors };
}

function withDefaults(resource: PolicyObject): PolicyObject {
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
    case "MutatingAdmissionPolicy":
      return withPolicyDefaults(resource);
    case "ValidatingAdmissionPolicyBinding":
    case "MutatingAdmissionPolicyBinding":
      return withBindingDefaults(resource);
  }
}

function errorsOf(resource: PolicyObject, compiler?: PolicyCompiler): readonly FieldError[] {
  const options = compiler === undefined ? {} : { compiler };
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
      return validatePolicy(resource, options);
    case "ValidatingAdmissionPolicyBinding":
      return validateBinding(withoutNamespace(resource));
    case "MutatingAdmissionPolicy":
      return validateMutatingPolicy(resource, options);
    case "MutatingAdmissionPolicyBinding":
      return validateMutatingBinding(resource);
  }
}

function withoutNamespace(binding: ValidatingAdmissionPolicyBinding): ValidatingAdmissionPolicyBinding {
  const { namespace: _, ...metadata } = binding.metadata;
  return { ...binding, metadata };
}
