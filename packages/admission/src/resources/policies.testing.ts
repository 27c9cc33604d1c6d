// Resources that are right in everything a test does not change.

import { fieldErrorText } from "@celadon/kube/errors";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../policy.ts";
import { withBindingDefaults, withPolicyDefaults } from "./defaults.ts";
import { readPolicyResource } from "./read.ts";
import { validateBinding } from "./validate/validate-binding.ts";
import { validatePolicy } from "./validate/validate-policy.ts";

export const RULE = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };

/** The policy after reading and defaulting; a spec field that is undefined is left out. */
export function policy(
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = { name: "p" },
): ValidatingAdmissionPolicy {
  const given = { matchConstraints: { resourceRules: [RULE] }, validations: [{ expression: "true" }], ...spec };
  const { resource, error } = readPolicyResource(
    { apiVersion: "admissionregistration.k8s.io/v1", metadata, spec: given },
    "ValidatingAdmissionPolicy",
  );
  if (resource === undefined) throw new Error(error);
  return withPolicyDefaults(resource);
}

export function binding(
  spec: Record<string, unknown> = {},
  metadata: Record<string, unknown> = { name: "b" },
): ValidatingAdmissionPolicyBinding {
  const given = { policyName: "p", validationActions: ["Deny"], ...spec };
  const { resource, error } = readPolicyResource(
    { apiVersion: "admissionregistration.k8s.io/v1", metadata, spec: given },
    "ValidatingAdmissionPolicyBinding",
  );
  if (resource === undefined) throw new Error(error);
  return withBindingDefaults(resource);
}

export const policyErrors = (spec: Record<string, unknown>, metadata?: Record<string, unknown>): string[] =>
  validatePolicy(policy(spec, metadata)).map(fieldErrorText);

export const bindingErrors = (spec: Record<string, unknown>, metadata?: Record<string, unknown>): string[] =>
  validateBinding(binding(spec, metadata)).map(fieldErrorText);
