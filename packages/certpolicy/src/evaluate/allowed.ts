// The `allowed` approver: every attribute of a request must be one the policy allows. Upstream: approver-policy
// pkg/internal/approver/allowed/evaluator.go, whose order of checks is the order of the messages.

import { type FieldError, type FieldPath, fieldPath, Invalid, invalidValue } from "@celadon/kube/errors";
import type { DecodedCsr } from "../csr/decode.ts";
import { FORBIDDEN_KINDS } from "../csr/general-names.ts";
import { OID } from "../csr/subject.ts";
import type { Allowed, CertificateRequest, CertificateRequestPolicy } from "../resource.ts";
import type { RuleCache } from "../rules/cache.ts";
import type { CertificateRuleObserver } from "../rules/observe.ts";
import { allMatch } from "../wildcard.ts";
import { checkList, type RuleContext } from "./attribute.ts";
import { checkByOid } from "./by-oid.ts";
import { csrOf } from "./request.ts";
import { type CertificateEvaluation, evaluationOf } from "./result.ts";
import { checkSubject, checkTexts } from "./subject.ts";

/** The result of the `allowed` approver: all that is requested must be allowed. */
export function evaluateAllowed(
  policy: CertificateRequestPolicy,
  request: CertificateRequest,
  rules: RuleCache,
  observer?: CertificateRuleObserver,
): CertificateEvaluation {
  const csr = csrOf(request);
  if (csr instanceof Invalid) return { result: "Error", error: csr.message };
  if (csr.names.error !== undefined) {
    const message = `subjectAltName (SAN) extension could not be decoded: ${csr.names.error}`;
    return { result: "Denied", message, errors: [] };
  }
  return evaluationOf(violations(policy.spec.allowed ?? {}, csr, { policy, request, rules, observer }));
}

function violations(allowed: Allowed, csr: DecodedCsr, context: RuleContext): FieldError[] {
  const path = fieldPath("spec", "allowed");
  const { names, subject } = csr;
  return [
    ...checkTexts(context, subject, OID.commonName, allowed.commonName, path.child("commonName")),
    ...checkList(context, names.dnsNames, allowed.dnsNames, path.child("dnsNames")),
    ...checkList(context, names.ipAddresses, allowed.ipAddresses, path.child("ipAddresses")),
    ...checkList(context, names.uris, allowed.uris, path.child("uris")),
    ...checkList(context, names.emailAddresses, allowed.emailAddresses, path.child("emailAddresses")),
    ...checkCa(context.request.spec.isCA === true, allowed.isCA, path.child("isCA")),
    ...checkUsages(context.request.spec.usages ?? [], allowed.usages, path.child("usages")),
    ...checkOtherKinds(csr, path.child("subjectAltName")),
    ...checkByOid(context, names.otherNames, allowed.otherNames ?? [], path.child("otherNames")),
    ...checkSubject(context, subject, allowed.subject ?? {}, path.child("subject")),
  ];
}

/** Compares the request's field and ignores the CSR. */
function checkCa(wanted: boolean, allowed: boolean | null | undefined, path: FieldPath): FieldError[] {
  return wanted && allowed !== true ? [invalidValue(path, true, allowed === false ? "false" : "nil")] : [];
}

/** No usages requested passes, although the issuer will then add two. */
function checkUsages(
  wanted: readonly string[],
  allowed: readonly string[] | null | undefined,
  path: FieldPath,
): FieldError[] {
  if (wanted.length === 0) return [];
  if (allowed === null || allowed === undefined) return [invalidValue(path, wanted, "nil")];
  return allMatch(allowed, wanted) ? [] : [invalidValue(path, wanted, allowed.join(", "))];
}

function checkOtherKinds({ names }: DecodedCsr, path: FieldPath): FieldError[] {
  return FORBIDDEN_KINDS.flatMap((kind) =>
    Array.from({ length: names.forbidden[kind] }, () =>
      invalidValue(path.child(kind), kind, `${kind} SAN entries are not permitted`),
    ),
  );
}
