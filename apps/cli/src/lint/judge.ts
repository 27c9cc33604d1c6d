// A resource of the set-up as an API server of some minor takes it: read, defaulted, validated. Errors are data here, with the field
// they are about; a cluster made of manifests (World) asks the same functions.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import {
  nameWarnings,
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
import { type CertificateRequestPolicy, POLICY_DEFINITION, policyErrors } from "@celadon/certpolicy";
import {
  type CustomResourceDefinition,
  CustomResourceType,
  definitionWarnings,
  type JsonObject,
  prepareDefinition,
  type ReadDefinition,
  readDefinition,
  validateDefinition,
} from "@celadon/crd";
import { type FieldError, type KubeObject, nameOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { roleOf } from "@celadon/simulator";

interface Judgement {
  /** Why it cannot be read; then nothing else is known. */
  readonly unreadable?: string;
  readonly errors: readonly FieldError[];
  readonly unknownFields: readonly string[];
  readonly warnings: readonly string[];
}

export type Judged = Judgement &
  (
    | { readonly role: "policy"; readonly resource?: ValidatingAdmissionPolicy }
    | { readonly role: "binding"; readonly resource?: ValidatingAdmissionPolicyBinding }
    | { readonly role: "definition"; readonly resource?: CustomResourceDefinition }
    | { readonly role: "webhooks"; readonly resource?: WebhookConfiguration }
    | { readonly role: "certificatePolicy"; readonly resource?: CertificateRequestPolicy }
  );

/** Undefined for objects that are no part of the set-up. */
export function judge(object: KubeObject, kubeVersion?: Minor): Judged | undefined {
  const options = kubeVersion === undefined ? {} : { kubeVersion };
  const role = roleOf(object);
  switch (role) {
    case "policy": {
      const { resource, error, unknownFields } = readPolicyResource(object, "ValidatingAdmissionPolicy");
      if (resource === undefined) return { role, ...unreadable(error, unknownFields) };
      const policy = withPolicyDefaults(resource);
      const errors = validatePolicy(policy, options);
      return { role, resource: policy, errors, unknownFields, warnings: nameWarnings(nameOf(policy)) };
    }
    case "binding": {
      const { resource, error, unknownFields } = readPolicyResource(object, "ValidatingAdmissionPolicyBinding");
      if (resource === undefined) return { role, ...unreadable(error, unknownFields) };
      const binding = withBindingDefaults(resource);
      const errors = validateBinding(binding);
      return { role, resource: binding, errors, unknownFields, warnings: nameWarnings(nameOf(binding)) };
    }
    case "definition": {
      const read = readDefinition(object);
      if (!("definition" in read)) return { role, ...unreadable(read.message, []) };
      const definition = prepareDefinition(read.definition, undefined);
      const errors = validateDefinition(definition, options);
      const warnings = definitionWarnings(definition, undefined);
      return { role, resource: definition, errors, unknownFields: read.unknown, warnings };
    }
    case "webhooks": {
      const { configuration, unknownFields, error } = decodeConfiguration(object as unknown as WebhookConfiguration);
      if (error !== undefined) return { role, ...unreadable(error, unknownFields) };
      const errors = validateConfiguration(configuration, undefined, options);
      const warnings = configurationWarnings(configuration);
      return { role, resource: configuration, errors, unknownFields, warnings };
    }
    case "certificatePolicy": {
      const policy = object as unknown as CertificateRequestPolicy;
      return { role, resource: policy, errors: policyErrors(policy), unknownFields: unknownOf(object), warnings: [] };
    }
    default:
      return undefined;
  }
}

function unreadable(error = "", unknownFields: readonly string[]): Judgement {
  return { unreadable: error, errors: [], unknownFields, warnings: [] };
}

let certificatePolicies: CustomResourceType | undefined;

/** Fields that the definition of certificate policies does not have. */
function unknownOf(object: KubeObject): readonly string[] {
  certificatePolicies ??= new CustomResourceType((readDefinition(POLICY_DEFINITION) as ReadDefinition).definition);
  const decoded = certificatePolicies.version("v1alpha1")?.decode(object as JsonObject);
  return decoded !== undefined && "unknown" in decoded ? decoded.unknown : [];
}
