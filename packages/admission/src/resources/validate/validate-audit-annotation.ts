// One audit annotation of a policy. Its key is a qualified name together with the name of the policy.

import { utf8Length } from "@celadon/base";
import { type FieldError, type FieldPath, invalidValue, requiredValue } from "@celadon/kube/errors";
import { checkQualifiedName } from "@celadon/kube/names";
import type { Emulation } from "@celadon/kube/versions";
import { trimSpace } from "../../evaluate/go-text.ts";
import type { AuditAnnotation } from "../../policy.ts";
import { EXPRESSION_TYPES, type ExpressionChecks } from "../expression-checks.ts";
import { modeOf, type StoredExpressions } from "./stored-expressions.ts";

const MAX_EXPRESSION_BYTES = 5 * 1024;

export function validateAuditAnnotation(
  { key, valueExpression }: AuditAnnotation,
  policyName: string,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  return [
    ...keyErrors(key, policyName, path.child("key"), checks.by),
    ...expressionErrors(valueExpression, path.child("valueExpression"), checks, stored),
  ];
}

function keyErrors(key: string, policyName: string, path: FieldPath, by: Emulation): FieldError[] {
  if (policyName === "") return [invalidValue(path, key, "requires metadata.name be non-empty")];
  const name = `${policyName}/${key}`;
  return checkQualifiedName(name, by).map((problem) => invalidValue(path, name, problem));
}

function expressionErrors(
  expression: string,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  const text = trimSpace(expression);
  if (text === "") return [requiredValue(path, "valueExpression is not specified")];
  // Upstream reports it as a missing value.
  if (utf8Length(text) > MAX_EXPRESSION_BYTES) {
    return [requiredValue(path, `must not exceed ${MAX_EXPRESSION_BYTES} bytes in length`)];
  }
  const mode = modeOf(stored.annotations, expression);
  return checks.check({
    text,
    shown: expression,
    written: expression,
    path,
    returnTypes: EXPRESSION_TYPES.annotation,
    mode,
    authorizer: true,
  });
}
