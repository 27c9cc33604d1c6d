// Validates a ValidatingAdmissionPolicy, on create and on update, after defaulting. Order and messages are upstream's:
// kubernetes pkg/apis/admissionregistration/validation. Only expressions are validated differently on update.

import { pushAll, quoteJson } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  invalidValue,
  requiredValue,
  ShownText,
} from "@celadon/kube/errors";
import type { AuditAnnotation, ValidatingAdmissionPolicy, ValidatingAdmissionPolicySpec } from "../../policy.ts";
import type { CheckingOptions, ExpressionChecks } from "../expression-checks.ts";
import type { StoredExpressions } from "./stored-expressions.ts";
import { validateAuditAnnotation } from "./validate-audit-annotation.ts";
import {
  changedPolicyErrors,
  newPolicyErrors,
  sharedErrors,
  type ValidatePolicyOptions,
} from "./validate-policy-spec.ts";
import { validateValidation } from "./validate-validation.ts";

const MAX_AUDIT_ANNOTATIONS = 20;
const NOTHING_TO_DO = "validations or auditAnnotations must contain at least one item";

/** Errors of a policy, as the API server reports them. */
export function validatePolicy(policy: ValidatingAdmissionPolicy, options: ValidatePolicyOptions = {}): FieldError[] {
  return newPolicyErrors(policy, specErrors, options);
}

/** Errors of an updated policy. Match conditions are validated again only if they or the paramKind change. */
export function validatePolicyUpdate(
  policy: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicy,
  options: CheckingOptions = {},
): FieldError[] {
  return changedPolicyErrors(policy, old, specErrors, options);
}

function specErrors(
  policy: ValidatingAdmissionPolicy,
  stored: StoredExpressions,
  conditions: boolean,
  options: CheckingOptions,
): FieldError[] {
  const { errors, checks, path } = sharedErrors(policy.spec, stored, conditions, options);
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
    pushAll(errors, validateValidation(validation, path.child("validations").index(i), checks, stored));
  });
  const at = path.child("auditAnnotations");
  if (auditAnnotations.length > MAX_AUDIT_ANNOTATIONS) {
    const detail = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalidValue(at, shownAnnotations(auditAnnotations), detail));
  }
  const keys = new Set<string>();
  auditAnnotations.forEach((annotation, i) => {
    pushAll(errors, validateAuditAnnotation(annotation, name, at.index(i), checks, stored));
    if (keys.has(annotation.key)) errors.push(duplicateValue(at.index(i).child("key"), annotation.key));
    keys.add(annotation.key);
  });
  return errors;
}

/** Prints audit annotations as Go prints structs: their own field names, in their own order. */
function shownAnnotations(annotations: readonly AuditAnnotation[]): ShownText {
  const items = annotations.map(
    ({ key, valueExpression }) => `{"Key":${quoteJson(key)},"ValueExpression":${quoteJson(valueExpression)}}`,
  );
  return new ShownText(`[${items.join(",")}]`);
}
