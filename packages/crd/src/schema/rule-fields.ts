// The fields of a validation rule, checked before any of it is compiled.

import { trimSpace } from "@celadon/kube";
import {
  type FieldError,
  type FieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  oncePut,
  requiredValue,
} from "@celadon/kube/errors";
import { findField } from "./field-path.ts";
import type { JsonSchema, ValidationRule } from "./json-schema.ts";
import { conversionProblem } from "./structural.ts";

const REASONS = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"] as const;

const LINE_BREAK = /[\n\r]/;

export function ruleFieldErrors(rule: ValidationRule, schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkTexts(rule, path, errors);
  const { messageExpression = "", reason, fieldPath = "" } = rule;
  if (messageExpression !== "" && trimSpace(messageExpression) === "") {
    const detail = "messageExpression must be non-empty if specified";
    errors.push(requiredValue(path.child("messageExpression"), detail));
  }
  if (reason !== undefined && !(REASONS as readonly string[]).includes(reason)) {
    errors.push(notSupported(path.child("reason"), new JsonShown(reason), REASONS));
  }
  const here = path.child("fieldPath");
  if (fieldPath !== "" && trimSpace(fieldPath) === "") {
    errors.push(named("fieldPath", invalidValue(here, fieldPath, "must be non-empty if specified")));
  }
  if (LINE_BREAK.test(fieldPath)) {
    errors.push(named("fieldPath", invalidValue(here, fieldPath, "must not contain line breaks")));
  }
  if (fieldPath !== "" && conversionProblem(schema) === undefined && typeof findField(fieldPath, schema) === "string") {
    errors.push(named("fieldPath", invalidValue(here, fieldPath, "must be a valid path")));
  }
  return errors;
}

/** Servers named the field once more up to 1.33. */
const named = (field: string, error: FieldError): FieldError => oncePut(error, `${field} ${error.detail}`);

// Only the first of these is reported.
function checkTexts({ rule, message = "" }: ValidationRule, path: FieldPath, errors: FieldError[]): void {
  const here = path.child("message");
  if (trimSpace(rule ?? "") === "") errors.push(requiredValue(path.child("rule"), "rule is not specified"));
  else if (message !== "" && trimSpace(message) === "") {
    errors.push(named("message", invalidValue(here, message, "must be non-empty if specified")));
  } else if (LINE_BREAK.test(trimSpace(message))) {
    errors.push(named("message", invalidValue(here, message, "must not contain line breaks")));
  } else if (LINE_BREAK.test(trimSpace(rule)) && trimSpace(message) === "") {
    errors.push(requiredValue(here, "message must be specified if rule contains line breaks"));
  }
}
