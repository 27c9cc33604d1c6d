// The corpus' cases as this package's own objects.

import type {
  CertificateCondition,
  CertificatePolicySpec,
  CertificateRequest,
  CertificateRequestPolicy,
} from "./resource.ts";

export interface CaseRequest {
  readonly namespace: string;
  readonly name: string;
  readonly username: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly issuerRef?: { readonly name?: string; readonly kind?: string; readonly group?: string };
  readonly isCA?: boolean;
  readonly usages?: readonly string[];
  readonly duration?: string | null;
  readonly csrPem?: string;
}

export interface CasePolicy {
  readonly name: string;
  readonly spec: CertificatePolicySpec;
  readonly conditions: readonly CertificateCondition[];
}

export function toRequest(given: CaseRequest): CertificateRequest {
  const { namespace, name, csrPem, ...spec } = given;
  return { metadata: { namespace, name }, spec: { ...spec, request: btoa(csrPem ?? "") } };
}

export function toPolicy({ name, spec, conditions }: CasePolicy): CertificateRequestPolicy {
  return { metadata: { name }, spec, status: { conditions } };
}
