// Problems of fields as data, the way the API server reports them: where, what kind, how it is worded.

export {
  duplicateValue,
  type ExpressionIssue,
  type ExpressionOrigin,
  type FieldError,
  type FieldErrorCode,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorsText,
  fieldErrorText,
  forbiddenField,
  internalFieldError,
  invalidValue,
  inWordsOf,
  JSON_SINCE,
  JsonShown,
  notSupported,
  OMIT_VALUE,
  oncePut,
  type RuleOrigin,
  reportedErrors,
  requiredValue,
  ShownBy,
  ShownText,
  tooLong,
  tooMany,
  typeInvalid,
} from "../field-error.ts";
export { FieldPath, fieldPath } from "../field-path.ts";
export { Invalid, isInvalid } from "../invalid.ts";
export { MAX_FIELD_ERRORS, MAX_WARNINGS, moreText } from "../limits.ts";
export { distinctWarnings, fieldWarning, type Warning } from "../warning.ts";
