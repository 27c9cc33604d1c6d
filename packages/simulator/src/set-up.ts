// Resources that make a cluster what it is, read as the API server reads them. What it would refuse is not in force.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import {
  readPolicyResource,
  validateBinding,
  validatePolicy,
  withBindingDefaults,
  withPolicyDefaults,
} from "@celadon/admission/resources";
import {
  configurationWarnings,
  decodeConfiguration,
  validateConfiguration,
  type WebhookConfiguration,
} from "@celadon/admission/webhook";
import { type CertificateRequestPolicy, policyErrors, type RuleCache } from "@celadon/certpolicy";
import { admitDefinition, type CustomResourceDefinition } from "@celadon/crd";
import { badRequest, type FieldError, gvkOf, invalidObject, type KubeObject, nameOf, type Status } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";

/** A resource as it is in force, or why it is not. */
export interface Accepted<T> {
  readonly resource?: T;
  /** With what the API server refuses it. */
  readonly status?: Status;
  readonly unknownFields: readonly string[];
  readonly warnings: readonly string[];
}

/** The minor whose API server reads it; the current one when absent. */
export interface AcceptOptions {
  readonly kubeVersion?: Minor;
}

export function acceptPolicy(object: KubeObject, options: AcceptOptions = {}): Accepted<ValidatingAdmissionPolicy> {
  const { resource, error, unknownFields } = readPolicyResource(object, "ValidatingAdmissionPolicy");
  if (resource === undefined) return refused(badRequest(error ?? ""), unknownFields);
  const policy = withPolicyDefaults(resource);
  return judged(object, policy, validatePolicy(policy, options), unknownFields);
}

export function acceptBinding(object: KubeObject): Accepted<ValidatingAdmissionPolicyBinding> {
  const { resource, error, unknownFields } = readPolicyResource(object, "ValidatingAdmissionPolicyBinding");
  if (resource === undefined) return refused(badRequest(error ?? ""), unknownFields);
  const binding = withBindingDefaults(resource);
  return judged(object, binding, validateBinding(binding), unknownFields);
}

export function acceptWebhooks(object: KubeObject, options: AcceptOptions = {}): Accepted<WebhookConfiguration> {
  const { configuration, unknownFields, error } = decodeConfiguration(object as unknown as WebhookConfiguration);
  if (error !== undefined) return refused(badRequest(error), unknownFields);
  const errors = validateConfiguration(configuration, undefined, options);
  return { ...judged(object, configuration, errors, unknownFields), warnings: configurationWarnings(configuration) };
}

export function acceptDefinition(object: KubeObject, options: AcceptOptions = {}): Accepted<CustomResourceDefinition> {
  const admitted = admitDefinition(object, undefined, { fieldValidation: "Warn", ...options });
  const unknownFields = admitted.warnings.flatMap((text) => UNKNOWN_FIELD.exec(text)?.[1] ?? []);
  const warnings = admitted.warnings.filter((text) => !UNKNOWN_FIELD.test(text));
  if (admitted.allowed) return { resource: admitted.object, unknownFields, warnings };
  return { status: admitted.status, unknownFields, warnings };
}

export function acceptCertificatePolicy(object: KubeObject, rules: RuleCache): Accepted<CertificateRequestPolicy> {
  const policy = object as unknown as CertificateRequestPolicy;
  return judged(object, policy, policyErrors(policy, { rules }), []);
}

const UNKNOWN_FIELD = /^unknown field "(.*)"$/s;

function judged<T>(
  object: KubeObject,
  resource: T,
  errors: readonly FieldError[],
  unknownFields: readonly string[],
): Accepted<T> {
  if (errors.length === 0) return { resource, unknownFields, warnings: [] };
  return { status: invalidObject(gvkOf(object), nameOf(object), errors), unknownFields, warnings: [] };
}

function refused<T>(status: Status, unknownFields: readonly string[]): Accepted<T> {
  return { status, unknownFields, warnings: [] };
}
