// CertificateRequestPolicy (policy.cert-manager.io/v1alpha1) and the parts of cert-manager's CertificateRequest that policies look at, as
// they stand in manifests. Nothing is defaulted on writing: an absent field has its own meaning everywhere, and `null` means absent.

import type { ObjectMeta } from "@celadon/kube";

/** The API group of certificate policies. */
export const POLICY_GROUP = "policy.cert-manager.io";
/** The version of certificate policies. */
export const POLICY_VERSION = "v1alpha1";
/** The kind of certificate policies. */
export const POLICY_KIND = "CertificateRequestPolicy";
/** The resource of certificate policies. */
export const POLICY_RESOURCE = "certificaterequestpolicies";

type Optional<T> = T | null | undefined;

/** The resource as policy.cert-manager.io/v1alpha1 has it. */
export interface CertificateRequestPolicy {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta | null;
  readonly spec: CertificatePolicySpec;
  readonly status?: { readonly conditions?: Optional<readonly CertificateCondition[]> } | null;
}

/** The parts of a policy. */
export interface CertificatePolicySpec {
  /** Absent: nothing may be requested. */
  readonly allowed?: Optional<Allowed>;
  /** Absent: no restriction. */
  readonly constraints?: Optional<Constraints>;
  readonly plugins?: Optional<Readonly<Record<string, PluginData>>>;
  readonly selector?: Optional<Selector>;
}

/** A rule that must be true for a value, and the message if it is not. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: Optional<string>;
}

/** A value that may be requested. */
export interface AllowedString {
  readonly value?: Optional<string>;
  readonly required?: Optional<boolean>;
  readonly validations?: Optional<readonly ValidationRule[]>;
}

/** A list of values that may be requested. */
export interface AllowedList {
  readonly values?: Optional<readonly string[]>;
  readonly required?: Optional<boolean>;
  readonly validations?: Optional<readonly ValidationRule[]>;
}

/** An attribute that is known by its object identifier only. */
export interface AllowedByOid extends AllowedList {
  readonly oid: string;
}

/** Attributes that a request may carry. */
export interface Allowed {
  readonly commonName?: Optional<AllowedString>;
  readonly dnsNames?: Optional<AllowedList>;
  readonly ipAddresses?: Optional<AllowedList>;
  readonly uris?: Optional<AllowedList>;
  readonly emailAddresses?: Optional<AllowedList>;
  readonly otherNames?: Optional<readonly AllowedByOid[]>;
  readonly isCA?: Optional<boolean>;
  readonly usages?: Optional<readonly string[]>;
  readonly subject?: Optional<AllowedSubject>;
}

/** Parts of a subject that may be requested. */
export interface AllowedSubject {
  readonly organizations?: Optional<AllowedList>;
  readonly countries?: Optional<AllowedList>;
  readonly organizationalUnits?: Optional<AllowedList>;
  readonly localities?: Optional<AllowedList>;
  readonly provinces?: Optional<AllowedList>;
  readonly streetAddresses?: Optional<AllowedList>;
  readonly postalCodes?: Optional<AllowedList>;
  readonly serialNumber?: Optional<AllowedString>;
  readonly otherAttributes?: Optional<readonly AllowedByOid[]>;
}

/** Limits of duration and key. */
export interface Constraints {
  /** Go durations: `1h30m`. */
  readonly minDuration?: Optional<string>;
  readonly maxDuration?: Optional<string>;
  readonly privateKey?: Optional<PrivateKeyConstraints>;
}

/** Limits of a private key. */
export interface PrivateKeyConstraints {
  readonly algorithm?: Optional<string>;
  readonly minSize?: Optional<number>;
  readonly maxSize?: Optional<number>;
}

/** The values that a policy passes to a plugin. */
export interface PluginData {
  readonly values?: Optional<Readonly<Record<string, string>>>;
}

/** The requests that a policy is for. */
export interface Selector {
  readonly issuerRef?: Optional<IssuerSelector>;
  readonly namespace?: Optional<NamespaceSelector>;
}

/** The issuers a policy is for. */
export interface IssuerSelector {
  readonly name?: Optional<string>;
  readonly kind?: Optional<string>;
  readonly group?: Optional<string>;
}

/** The namespaces a policy is for. */
export interface NamespaceSelector {
  readonly matchNames?: Optional<readonly string[]>;
  readonly matchLabels?: Optional<Readonly<Record<string, string>>>;
}

/** A condition of a status. */
export interface CertificateCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
}

/** The resource as cert-manager.io/v1 has it. */
export interface CertificateRequest {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta | null;
  readonly spec: CertificateRequestSpec;
  readonly status?: { readonly conditions?: Optional<readonly CertificateCondition[]> } | null;
}

/** The content of a certificate's request. */
export interface CertificateRequestSpec {
  /** The PEM text of the request in base64, as every `[]byte` of the API. */
  readonly request?: string;
  readonly issuerRef?: Optional<{ readonly name?: string; readonly kind?: string; readonly group?: string }>;
  readonly duration?: Optional<string>;
  readonly isCA?: Optional<boolean>;
  readonly usages?: Optional<readonly string[]>;
  /** The author of the request, as stamped by cert-manager's webhook. */
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: Optional<readonly string[]>;
  readonly extra?: Optional<Readonly<Record<string, readonly string[]>>>;
}

/** Names that `usages` may contain. */
export const USAGE_NAMES: readonly string[] = [
  "signing",
  "digital signature",
  "content commitment",
  "key encipherment",
  "key agreement",
  "data encipherment",
  "cert sign",
  "crl sign",
  "encipher only",
  "decipher only",
  "any",
  "server auth",
  "client auth",
  "code signing",
  "email protection",
  "s/mime",
  "ipsec end system",
  "ipsec tunnel",
  "ipsec user",
  "timestamping",
  "ocsp signing",
  "microsoft sgc",
  "netscape sgc",
];

/** The algorithms that policies can name. */
export const KEY_ALGORITHMS: readonly string[] = ["RSA", "ECDSA", "Ed25519"];
