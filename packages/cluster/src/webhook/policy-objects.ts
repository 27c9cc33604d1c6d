// Policies and bindings of a cluster as the engine takes them. They come from the API server's own group, or from a group of ours on
// clusters that do not have those kinds; there nobody has validated them yet, so it is done here.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import {
  ADMISSION_REGISTRATION,
  readPolicyResource,
  validateBinding,
  validatePolicy,
  withBindingDefaults,
  withPolicyDefaults,
} from "@celadon/admission/resources";
import { fieldErrorsText, type GroupVersionResource, type KubeObject } from "@celadon/kube";

/** The group under which the kinds are installed where the cluster has none, and for what no cluster has. */
export const OWN_GROUP = "policies.celadon.dev";

export type PolicyGroup = typeof ADMISSION_REGISTRATION | typeof OWN_GROUP;

export type PolicyResourceName =
  | "validatingadmissionpolicies"
  | "validatingadmissionpolicybindings"
  | "mutatingadmissionpolicies"
  | "mutatingadmissionpolicybindings";

export function policyResource(
  group: PolicyGroup,
  version: string,
  resource: PolicyResourceName,
): GroupVersionResource {
  return { group, version, resource };
}

export type ReadPolicy<R> = { readonly resource: R } | { readonly rejected: string };

export function readValidatingPolicy(object: KubeObject): ReadPolicy<ValidatingAdmissionPolicy> {
  const read = readPolicyResource(asBuiltIn(object), "ValidatingAdmissionPolicy");
  if (read.resource === undefined) return { rejected: read.error ?? "not a policy" };
  const policy = withPolicyDefaults(read.resource);
  if (isAccepted(object)) return { resource: policy };
  const errors = validatePolicy(policy);
  return errors.length > 0 ? { rejected: fieldErrorsText(errors) } : { resource: policy };
}

export function readValidatingBinding(object: KubeObject): ReadPolicy<ValidatingAdmissionPolicyBinding> {
  const read = readPolicyResource(asBuiltIn(object), "ValidatingAdmissionPolicyBinding");
  if (read.resource === undefined) return { rejected: read.error ?? "not a binding" };
  const binding = withBindingDefaults(read.resource);
  if (isAccepted(object)) return { resource: binding };
  const errors = validateBinding(binding);
  return errors.length > 0 ? { rejected: fieldErrorsText(errors) } : { resource: binding };
}

/** The API server accepted its own kinds when they were written. */
function isAccepted({ apiVersion = "" }: KubeObject): boolean {
  return apiVersion.startsWith(`${ADMISSION_REGISTRATION}/`);
}

function asBuiltIn(object: KubeObject): KubeObject {
  return isAccepted(object) ? object : { ...object, apiVersion: `${ADMISSION_REGISTRATION}/v1` };
}
