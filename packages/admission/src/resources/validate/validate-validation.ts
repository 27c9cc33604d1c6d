// One validation of a policy: its expression, its message and the reason it gives.

import {
  type FieldError,
  type FieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  oncePut,
  requiredValue,
} from "@celadon/kube/errors";
import { trimSpace } from "../../evaluate/go-text.ts";
import type { Validation } from "../../policy.ts";
import { EXPRESSION_TYPES, type ExpressionChecks } from "../expression-checks.ts";
import { modeOf, type StoredExpressions } from "./stored-expressions.ts";

/** `Unauthorized` is in the API's description and not accepted. */
const REASONS = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const NON_EMPTY = "must be non-empty if specified";
const ONE_LINE = "must not contain line breaks";

export function validateValidation(
  validation: Validation,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  const { expression, reason } = validation;
  const at = path.child("expression");
  const mode = modeOf(stored.validations, expression);
  const inExpression =
    trimSpace(expression) === ""
      ? [requiredValue(at, "expression is not specified")]
      : checks.check({ text: expression, path: at, returnTypes: EXPRESSION_TYPES.condition, mode, authorizer: true });
  const inReason =
    reason === undefined || REASONS.includes(reason)
      ? []
      : [notSupported(path.child("reason"), new JsonShown(reason), REASONS)];
  return [
    ...inExpression,
    ...messageExpressionErrors(validation.messageExpression ?? "", path.child("messageExpression"), checks, stored),
    ...messageErrors(validation.message ?? "", path.child("message")),
    ...inReason,
  ];
}

// Compiled with the space around it, so that columns are those of the text.
function messageExpressionErrors(
  text: string,
  path: FieldPath,
  checks: ExpressionChecks,
  stored: StoredExpressions,
): FieldError[] {
  if (text === "") return [];
  if (trimSpace(text) === "") return [oncePut(invalidValue(path, text, NON_EMPTY), `messageExpression ${NON_EMPTY}`)];
  const mode = modeOf(stored.messages, text);
  return checks.check({ text, path, returnTypes: EXPRESSION_TYPES.message, mode, authorizer: false });
}

function messageErrors(message: string, path: FieldPath): FieldError[] {
  if (message === "") return [];
  const text = trimSpace(message);
  if (text === "") return [oncePut(invalidValue(path, message, NON_EMPTY), `message ${NON_EMPTY}`)];
  return /[\n\r]/.test(text) ? [oncePut(invalidValue(path, message, ONE_LINE), `message ${ONE_LINE}`)] : [];
}
