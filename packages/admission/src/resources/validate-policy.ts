// What is wrong with a ValidatingAdmissionPolicy, on create and on update, after defaulting. Order and words are upstream's:
// kubernetes pkg/apis/admissionregistration/validation. Everything but expressions is looked at alike on create and update.

import { quoteJson } from "@celadon/base";
import {
  checkDns1123Subdomain,
  duplicateValue,
  type FieldError,
  type FieldPath,
  invalidValue,
  requiredValue,
  ShownText,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "@celadon/kube";
import type { Minor } from "@celadon/kube-cel";
import type { AuditAnnotation, ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from "../policy.ts";
import type { ExpressionChecks } from "./expression-checks.ts";
import { type NameOptions, reservedNameErrors } from "./static-names.ts";
import { NOTHING_STORED, type StoredExpressions, storedExpressions } from "./stored-expressions.ts";
import { validateAuditAnnotation } from "./validate-audit-annotation.ts";
import { conditionsChanged, sharedErrors } from "./validate-policy-spec.ts";
import { validateValidation } from "./validate-validation.ts";

const MAX_AUDIT_ANNOTATIONS = 20;
const NOTHING_TO_DO = "validations or auditAnnotations must contain at least one item";

export interface ValidatePolicyOptions extends NameOptions {
  /** The minor of the API server that is asked, with its flags as they come; the current one when absent. */
  readonly kubeVersion?: Minor;
}

export function validatePolicy(policy: ValidatingAdmissionPolicy, options: ValidatePolicyOptions = {}): FieldError[] {
  return [
    ...validateObjectMeta(policy.metadata, false, checkDns1123Subdomain),
    ...specErrors(policy, NOTHING_STORED, true, options.kubeVersion),
    ...reservedNameErrors(policy.metadata.name ?? "", options),
  ];
}

/** Match conditions are not looked at again while they and the paramKind stay as they are. */
export function validatePolicyUpdate(
  policy: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy,
  { kubeVersion }: Pick<ValidatePolicyOptions, "kubeVersion"> = {},
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(policy.metadata, old.metadata),
    ...validateObjectMeta(policy.metadata, false, checkDns1123Subdomain),
    ...specErrors(policy, storedExpressions(old), conditionsChanged(policy, old), kubeVersion),
  ];
}

function specErrors(
  policy: ValidatingAdmissionPolicy,
  stored: StoredExpressions,
  conditions: boolean,
  kubeVersion: Minor | undefined,
): FieldError[] {
  const { errors, checks, path } = sharedErrors(policy.spec, stored, conditions, kubeVersion);
  return [...errors, ...ruleErrors(policy.metadata.name ?? "", policy.spec, path, checks, stored)];
}

function ruleErrors(
  name: string,
  { validations = [], auditAnnotations = [] }: ValidatingAdmissionPolicySpec,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [
      requiredValue(path.child("validations"), NOTHING_TO_DO),
      requiredValue(path.child("auditAnnotations"), NOTHING_TO_DO),
    ];
  }
  const errors: FieldError[] = [];
  validations.forEach((validation, i) => {
    errors.push(...validateValidation(validation, path.child("validations").index(i), checks, stored));
  });
  const at = path.child("auditAnnotations");
  if (auditAnnotations.length > MAX_AUDIT_ANNOTATIONS) {
    const detail = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalidValue(at, shownAnnotations(auditAnnotations), detail));
  }
  const keys = new Set<string>();
  auditAnnotations.forEach((annotation, i) => {
    errors.push(...validateAuditAnnotation(annotation, name, at.index(i), checks, stored));
    if (keys.has(annotation.key)) errors.push(duplicateValue(at.index(i).child("key"), annotation.key));
    keys.add(annotation.key);
  });
  return errors;
}

/** As Go's structs print: their own field names, in their own order. */
function shownAnnotations(annotations: readonly AuditAnnotation[]): ShownText {
  const items = annotations.map(
    ({ key, valueExpression }) => `{"Key":${quoteJson(key)},"ValueExpression":${quoteJson(valueExpression)}}`,
  );
  return new ShownText(`[${items.join(",")}]`);
}
