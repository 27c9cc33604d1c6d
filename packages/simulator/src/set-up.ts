// Resources that make a cluster what it is, read as the API server reads them. What it would refuse is not in force.

import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "@celadon/admission";
import {
  nameWarnings,
  type ReadResource,
  readPolicyResource,
  validateBinding,
  validateBindingUpdate,
  validateMutatingBinding,
  validateMutatingBindingUpdate,
  validateMutatingPolicy,
  validateMutatingPolicyUpdate,
  validatePolicy,
  validatePolicyUpdate,
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
import { admitDefinition, type CustomResourceDefinition, prepareDefinition, readDefinition } from "@celadon/crd";
import {
  badRequest,
  type FieldError,
  gvkOf,
  invalidObject,
  type KubeObject,
  nameOf,
  namespaceOf,
  type Status,
} from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { builtinStored, builtinUpdated } from "./system-fields.ts";

/** A resource as it is in force, or why it is not. */
export interface Accepted<T> {
  readonly resource?: T;
  /** With what the API server refuses it. */
  readonly status?: Status;
  readonly unknownFields: readonly string[];
  readonly warnings: readonly string[];
}

export interface AcceptOptions {
  /** The minor whose API server reads it; the current one when absent. */
  readonly kubeVersion?: Minor;
  /** What it replaces: some things may stay that could not be new. */
  readonly old?: KubeObject;
}

/** How a kind of policy resource is read and validated. */
interface PolicyKind<T> {
  read(object: KubeObject): ReadResource<T>;
  validate(resource: T, options: AcceptOptions): readonly FieldError[];
  validateUpdate(resource: T, old: T, options: AcceptOptions): readonly FieldError[];
}

function acceptPolicyResource<T>(kind: PolicyKind<T>, object: KubeObject, options: AcceptOptions): Accepted<T> {
  const { resource, error, unknownFields } = kind.read(object);
  if (resource === undefined) return refused(badRequest(error ?? ""), unknownFields);
  const old = options.old && stored(kind.read(options.old).resource);
  const given = old === undefined ? resource : updated(resource, old);
  const errors = old === undefined ? kind.validate(given, options) : kind.validateUpdate(given, old, options);
  return { ...judged(object, given, errors, unknownFields), warnings: nameWarnings(nameOf(object)) };
}

/** A namespace given for what lives in none is dropped before anybody looks at it. */
function reader<T>(
  read: (object: KubeObject) => ReadResource<T>,
  withDefaults: (resource: T) => T,
): (object: KubeObject) => ReadResource<T> {
  return (object) => {
    const { resource, ...rest } = read(withoutNamespace(object));
    return { ...rest, resource: resource && withDefaults(resource) };
  };
}

const POLICY: PolicyKind<ValidatingAdmissionPolicy> = {
  read: reader((object) => readPolicyResource(object, "ValidatingAdmissionPolicy"), withPolicyDefaults),
  validate: validatePolicy,
  validateUpdate: validatePolicyUpdate,
};
const BINDING: PolicyKind<ValidatingAdmissionPolicyBinding> = {
  read: reader((object) => readPolicyResource(object, "ValidatingAdmissionPolicyBinding"), withBindingDefaults),
  validate: (binding) => validateBinding(binding),
  validateUpdate: validateBindingUpdate,
};
const MUTATING_POLICY: PolicyKind<MutatingAdmissionPolicy> = {
  read: reader((object) => readPolicyResource(object, "MutatingAdmissionPolicy"), withPolicyDefaults),
  validate: validateMutatingPolicy,
  validateUpdate: validateMutatingPolicyUpdate,
};
const MUTATING_BINDING: PolicyKind<MutatingAdmissionPolicyBinding> = {
  read: reader((object) => readPolicyResource(object, "MutatingAdmissionPolicyBinding"), withBindingDefaults),
  validate: (binding) => validateMutatingBinding(binding),
  validateUpdate: validateMutatingBindingUpdate,
};

export function acceptPolicy(object: KubeObject, options: AcceptOptions = {}): Accepted<ValidatingAdmissionPolicy> {
  return acceptPolicyResource(POLICY, object, options);
}

export function acceptBinding(
  object: KubeObject,
  options: AcceptOptions = {},
): Accepted<ValidatingAdmissionPolicyBinding> {
  return acceptPolicyResource(BINDING, object, options);
}

export function acceptMutatingPolicy(
  object: KubeObject,
  options: AcceptOptions = {},
): Accepted<MutatingAdmissionPolicy> {
  return acceptPolicyResource(MUTATING_POLICY, object, options);
}

export function acceptMutatingBinding(
  object: KubeObject,
  options: AcceptOptions = {},
): Accepted<MutatingAdmissionPolicyBinding> {
  return acceptPolicyResource(MUTATING_BINDING, object, options);
}

export function acceptWebhooks(object: KubeObject, options: AcceptOptions = {}): Accepted<WebhookConfiguration> {
  const { configuration, unknownFields, error } = readWebhooks(object);
  if (error !== undefined) return refused(badRequest(error), unknownFields);
  const old = options.old && stored(readWebhooks(options.old).configuration);
  const errors = validateConfiguration(old === undefined ? configuration : updated(configuration, old), old, options);
  return { ...judged(object, configuration, errors, unknownFields), warnings: configurationWarnings(configuration) };
}

const readWebhooks = (object: KubeObject): ReturnType<typeof decodeConfiguration> =>
  decodeConfiguration(withoutNamespace(object) as unknown as WebhookConfiguration);

export function acceptDefinition(
  object: KubeObject,
  { kubeVersion, old }: AcceptOptions = {},
): Accepted<CustomResourceDefinition> {
  const server = kubeVersion === undefined ? {} : { kubeVersion };
  const before = old && storedDefinition(old);
  const admitted = admitDefinition(withoutNamespace(object), before, { fieldValidation: "Warn", ...server });
  const unknownFields = admitted.warnings.flatMap((text) => UNKNOWN_FIELD.exec(text)?.[1] ?? []);
  const warnings = admitted.warnings.filter((text) => !UNKNOWN_FIELD.test(text));
  if (admitted.allowed) return { resource: admitted.object, unknownFields, warnings };
  return { status: admitted.status, unknownFields, warnings };
}

/** A definition as it is stored and served, valid or not; undefined when it cannot be read. */
function storedDefinition(object: KubeObject): CustomResourceDefinition | undefined {
  const read = readDefinition(object);
  if (!("definition" in read)) return undefined;
  const { definition } = read;
  const { status = {} } = prepareDefinition(definition, undefined);
  return { ...definition, status: { conditions: ESTABLISHED, ...status, ...definition.status } };
}

/** What is there already is in use: its scope and kind stay. */
const ESTABLISHED = [{ type: "Established", status: "True" }] as const;

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

// Metadata that an update leaves out is filled in before it is validated.
const stored = <T>(resource: T | undefined): T | undefined =>
  resource && (builtinStored(resource as KubeObject) as unknown as T);
const updated = <T>(resource: T, old: T): T =>
  builtinUpdated(resource as KubeObject, old as KubeObject, "") as unknown as T;

function withoutNamespace(object: KubeObject): KubeObject {
  if (namespaceOf(object) === "") return object;
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}

function refused<T>(status: Status, unknownFields: readonly string[]): Accepted<T> {
  return { status, unknownFields, warnings: [] };
}
