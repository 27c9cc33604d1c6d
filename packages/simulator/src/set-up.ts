// Resources that make a cluster what it is, as the API server takes them. What it would refuse is not in force. Each system says
// itself how its resources are read and validated; here is what all of them share, and which is which.

import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import { acceptBinding, acceptPolicy, readBinding, readPolicy } from "@celadon/admission/resources";
import { acceptConfiguration, decodeConfiguration, type WebhookConfiguration } from "@celadon/admission/webhook";
import { type CertificateRequestPolicy, POLICY_DEFINITION, policyErrors, type RuleCache } from "@celadon/certpolicy";
import {
  acceptDefinition,
  type CustomResourceDefinition,
  CustomResourceType,
  decodeWrite,
  prepareDefinition,
  type ResourceVersion,
  readDefinition,
} from "@celadon/crd";
import { type Accepted, gvkOf, invalidObject, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import { type Role, roleOf } from "./roles.ts";
import { builtinStored, builtinUpdated } from "./system-fields.ts";

export interface SetUpOptions {
  /** The minor whose API server reads it; the current one when absent. */
  readonly kubeVersion?: Minor | undefined;
  /** What it replaces, as it was written: some things may stay that could not be new. */
  readonly old?: KubeObject | undefined;
  /** Rules of certificate policies, compiled. */
  readonly rules?: RuleCache | undefined;
}

/** The resources of the set-up, by the part they play. */
export interface SetUpResources {
  readonly policy: ValidatingAdmissionPolicy;
  readonly binding: ValidatingAdmissionPolicyBinding;
  readonly webhooks: WebhookConfiguration;
  readonly definition: CustomResourceDefinition;
  readonly certificatePolicy: CertificateRequestPolicy;
}

export type SetUpRole = keyof SetUpResources;

/** How a resource of the set-up is taken, and which it is. */
export type AcceptedSetUp = {
  readonly [R in SetUpRole]: Accepted<SetUpResources[R]> & { readonly role: R };
}[SetUpRole];

/** Undefined for objects that are no part of the set-up. */
export function acceptSetUp(object: KubeObject, options: SetUpOptions = {}): AcceptedSetUp | undefined {
  const role = roleOf(object);
  return isSetUpRole(role) ? ({ role, ...ACCEPT[role](object, options) } as AcceptedSetUp) : undefined;
}

export function isSetUpRole(role: Role): role is SetUpRole {
  return Object.hasOwn(ACCEPT, role);
}

const ACCEPT: {
  readonly [R in SetUpRole]: (object: KubeObject, options: SetUpOptions) => Accepted<SetUpResources[R]>;
} = {
  policy: (object, options) =>
    acceptPolicy(
      withoutNamespace(object),
      update(options, (old) => readPolicy(withoutNamespace(old)).resource),
    ),
  binding: (object, options) =>
    acceptBinding(
      withoutNamespace(object),
      update(options, (old) => readBinding(withoutNamespace(old)).resource),
    ),
  webhooks: (object, options) =>
    acceptConfiguration(
      asConfiguration(object),
      update(options, (old) => decodeConfiguration(asConfiguration(old)).configuration),
    ),
  definition: (object, { kubeVersion, old }) =>
    acceptDefinition(withoutNamespace(object), old && storedDefinition(old), kubeVersion && { kubeVersion }),
  certificatePolicy: (object, { rules }) => acceptCertificatePolicy(object, rules),
};

const asConfiguration = (object: KubeObject): WebhookConfiguration =>
  withoutNamespace(object) as unknown as WebhookConfiguration;

interface Update<T> {
  readonly kubeVersion?: Minor;
  readonly old?: T;
  readonly prepare?: (resource: T) => T;
}

/** Metadata that an update leaves out is filled in before it is validated. */
function update<T>({ kubeVersion, old: given }: SetUpOptions, read: (old: KubeObject) => T | undefined): Update<T> {
  const server = kubeVersion === undefined ? {} : { kubeVersion };
  const before = given && read(given);
  if (before === undefined) return server;
  const old = builtinStored(before as KubeObject);
  const prepare = (resource: T): T => builtinUpdated(resource as KubeObject, old, "") as unknown as T;
  return { ...server, old: old as unknown as T, prepare };
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

/** cert-manager's webhook validates it, after the API server read it by its definition. */
function acceptCertificatePolicy(object: KubeObject, rules?: RuleCache): Accepted<CertificateRequestPolicy> {
  const resource = object as unknown as CertificateRequestPolicy;
  const errors = policyErrors(resource, rules && { rules });
  const { unknownFields } = decodeWrite({ version: certificatePolicies() }, object);
  const found = { resource, errors, unknownFields, warnings: [] };
  return errors.length === 0 ? found : { ...found, status: invalidObject(gvkOf(object), nameOf(object), errors) };
}

function certificatePolicies(): ResourceVersion {
  const read = readDefinition(POLICY_DEFINITION);
  const version = "definition" in read ? new CustomResourceType(read.definition).version("v1alpha1") : undefined;
  if (version === undefined) throw new Error("the definition of certificate policies cannot be read");
  return version;
}

/** A namespace given for what lives in none is dropped before anybody looks at it. */
function withoutNamespace(object: KubeObject): KubeObject {
  if (namespaceOf(object) === "") return object;
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}
