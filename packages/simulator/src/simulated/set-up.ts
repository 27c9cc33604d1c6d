// Resources that configure a cluster, as the API server accepts them. A rejected resource is not in force. Each system reads and validates
// its own resources; this file has their common parts, and the choice between them.

import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@celadon/admission/policy";
import { type Gates, withGatedFields } from "@celadon/admission/proposals";
import {
  acceptPolicyResource,
  type CheckingOptions,
  type PolicyResourceKind,
  type ResourceOf,
} from "@celadon/admission/resources";
import type { PolicyCompiler } from "@celadon/admission/steps";
import { acceptConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import {
  type CertificateRequestPolicy,
  POLICY_DEFINITION,
  policyErrors,
  policySchemaErrors,
  type RuleCache,
} from "@celadon/certpolicy";
import {
  acceptDefinition,
  type CustomResourceDefinition,
  CustomResourceType,
  type ResourceVersion,
  readDefinition,
} from "@celadon/crd";
import { decodeWrite } from "@celadon/crd/write";
import { type AcceptedResource, gvkOf, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { invalidObject } from "@celadon/kube/status";
import type { Minor } from "@celadon/kube-cel";
import {
  acceptAuthentication,
  acceptAuthorization,
  type CompiledAuthentication,
  type CompiledAuthorization,
} from "@celadon/kube-cel/access";
import { type Role, roleOf } from "../manifest/roles.ts";

/** Options for accepting a set-up resource. */
export interface AcceptSetUpOptions {
  /** Fields of the proposals that are known. */
  readonly gates?: Gates | undefined;
  /** The version of the API server that reads it; the current one when absent. */
  readonly kubeVersion?: Minor | undefined;
  /** The compiler of policies, shared with the sets they go into. */
  readonly compiler?: PolicyCompiler | undefined;
  /** Rules of certificate policies, compiled. */
  readonly rules?: RuleCache | undefined;
}

/** Set-up resources by their role. */
export interface SetUpResources {
  readonly policy: ValidatingAdmissionPolicy;
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly mutatingPolicy: MutatingAdmissionPolicy;
  readonly mutatingBinding: MutatingAdmissionPolicyBinding;
  readonly webhooks: WebhookConfiguration;
  readonly definition: CustomResourceDefinition;
  readonly certificatePolicy: CertificateRequestPolicy;
  readonly authentication: CompiledAuthentication;
  readonly authorization: CompiledAuthorization;
}

/** Roles of resources that configure a cluster. */
export type SetUpRole = keyof SetUpResources;

/** A set-up resource as it was accepted or rejected, and its role. */
export type AcceptedSetUp = {
  readonly [R in SetUpRole]: AcceptedResource<SetUpResources[R]> & { readonly role: R };
}[SetUpRole];

/** Undefined for objects that do not configure the cluster. */
export function acceptSetUp(object: KubeObject, options: AcceptSetUpOptions = {}): AcceptedSetUp | undefined {
  const role = roleOf(object);
  return isSetUpRole(role) ? ({ role, ...ACCEPT[role](object, options) } as AcceptedSetUp) : undefined;
}

/** Whether objects of a role configure the cluster. */
export function isSetUpRole(role: Role): role is SetUpRole {
  return Object.hasOwn(ACCEPT, role);
}

const ACCEPT: {
  readonly [R in SetUpRole]: (object: KubeObject, options: AcceptSetUpOptions) => AcceptedResource<SetUpResources[R]>;
} = {
  policy: accepting("ValidatingAdmissionPolicy"),
  binding: accepting("ValidatingAdmissionPolicyBinding"),
  mutatingPolicy: accepting("MutatingAdmissionPolicy"),
  mutatingBinding: accepting("MutatingAdmissionPolicyBinding"),
  webhooks: (object, options) => acceptConfiguration(asConfiguration(object), serverOf(options)),
  definition: (object, { kubeVersion }) =>
    acceptDefinition(withoutNamespace(object), undefined, kubeVersion && { kubeVersion }),
  certificatePolicy: (object, { rules }) => acceptCertificatePolicy(object, rules),
  authentication: (object, { kubeVersion }) => acceptAuthentication(object, { kubeVersion }),
  authorization: (object, { kubeVersion }) => acceptAuthorization(object, { kubeVersion }),
};

function accepting<K extends PolicyResourceKind>(
  kind: K,
): (object: KubeObject, options: AcceptSetUpOptions) => AcceptedResource<ResourceOf<K>> {
  return (object, options) => {
    const written = withoutNamespace(object);
    const accepted = acceptPolicyResource(kind, written, serverOf(options));
    return options.gates ? withGates(accepted, written, options.gates) : accepted;
  };
}

/** A cluster drops the fields of the proposals; here they count when their gates are on. */
function withGates<T extends { readonly kind?: string }>(
  accepted: AcceptedResource<T>,
  written: KubeObject,
  gates: Gates,
): AcceptedResource<T> {
  if (accepted.resource === undefined) return accepted;
  const gated = withGatedFields(accepted.resource, written, accepted.unknownFields, gates);
  const errors = [...accepted.errors, ...gated.errors];
  const found = { ...accepted, ...gated, errors };
  return gated.errors.length === 0
    ? found
    : { ...found, status: invalidObject(gvkOf(written), nameOf(written), errors) };
}

const asConfiguration = (object: KubeObject): WebhookConfiguration => withoutNamespace(object) as WebhookConfiguration;

function serverOf({ kubeVersion, compiler }: AcceptSetUpOptions): CheckingOptions {
  return { ...(kubeVersion && { kubeVersion }), ...(compiler && { compiler }) };
}

/** cert-manager's webhook validates it, after the API server read it by its definition. */
function acceptCertificatePolicy(object: KubeObject, rules?: RuleCache): AcceptedResource<CertificateRequestPolicy> {
  const resource = object as unknown as CertificateRequestPolicy;
  // A webhook does not see an object that the schema rejects; authors want to see the errors of both.
  const { status: _, ...written } = resource; // a subresource of its own
  const bySchema = policySchemaErrors(written);
  const byWebhook = policyErrors(resource, rules && { rules });
  const known = new Set(bySchema.map(fieldErrorText));
  const errors = [...bySchema, ...byWebhook.filter((error) => !known.has(fieldErrorText(error)))];
  const { unknownFields } = decodeWrite({ version: certificatePolicies() }, object);
  const found = { resource, errors, unknownFields, warnings: [] };
  return errors.length === 0
    ? found
    : { ...found, status: invalidObject(gvkOf(object), nameOf(object), bySchema.length > 0 ? bySchema : byWebhook) };
}

function certificatePolicies(): ResourceVersion {
  const read = readDefinition(POLICY_DEFINITION);
  const version = "definition" in read ? new CustomResourceType(read.definition).version("v1alpha1") : undefined;
  if (version === undefined) throw new Error("the definition of certificate policies cannot be read");
  return version;
}

/** The namespace of a cluster-scoped resource is dropped before validation. */
function withoutNamespace(object: KubeObject): KubeObject {
  if (namespaceOf(object) === "") return object;
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}
