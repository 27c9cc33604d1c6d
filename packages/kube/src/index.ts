// The Kubernetes data model: names of things, values, selectors, errors and schemas. Reading text is in
// `@celadon/kube/read`, the built-in kinds are in `@celadon/kube/builtin`: both are larger than this.

export { compareStrings, formatGoJson, formatGoValue, goTypeName, quoteGo, quoteJson, utf8Length } from "@celadon/base";
export { type AcceptedResource, inForce, unknownFieldText } from "./accepted.ts";
export { Emulation, emulationOf } from "./emulation.ts";
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
  JsonShown,
  notSupported,
  OMIT_VALUE,
  type RuleOrigin,
  reportedErrors,
  requiredValue,
  ShownBy,
  ShownText,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { FieldPath, fieldPath } from "./field-path.ts";
export { isBase64, isDate, isDateTime, isUuid, isUuid3, isUuid4, isUuid5 } from "./formats.ts";
export {
  apiVersionOf,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  groupResourceText,
  guessResource,
  gvkOf,
  gvkText,
  gvrText,
  parseGroupVersion,
} from "./gvk.ts";
export { Invalid, isInvalid } from "./invalid.ts";
export { MAX_FIELD_ERRORS, MAX_WARNINGS, moreText } from "./limits.ts";
export {
  annotationsOf,
  type KubeObject,
  labelsOf,
  metadataOf,
  nameOf,
  namespaceOf,
  type ObjectMeta,
  type OwnerReference,
} from "./metadata.ts";
export {
  checkDns1035Label,
  checkDns1035LabelPrefix,
  checkDns1123Label,
  checkDns1123LabelPrefix,
  checkDns1123Subdomain,
  checkDns1123SubdomainPrefix,
  checkLabelValue,
  checkPathSegmentName,
  checkPortNumber,
  checkQualifiedName,
  patternProblem,
  type TextCheck,
} from "./names.ts";
export { isQuantity, parseQuantity, Quantity, quantityOf } from "./quantity/quantity.ts";
export type { QuantityFormat } from "./quantity/suffix.ts";
export { type CustomResource, type CustomResourceVersion, readCustomResource } from "./schema/custom-resource.ts";
export { type OpenApiSchemas, readOpenApi } from "./schema/openapi.ts";
export { readSchema } from "./schema/read-schema.ts";
export type { Schema, ValidationRule } from "./schema/schema.ts";
export { type FieldRequirement, FieldSelector, type Fields, parseFieldSelector } from "./selector/field-selector.ts";
export { parseLabelRequirements } from "./selector/label-parser.ts";
export {
  LabelSelector,
  type LabelSelectorObject,
  type LabelSelectorRequirement,
  parseLabelSelector,
  toLabelSelector,
  validateLabelSelector,
  validateLabels,
} from "./selector/label-selector.ts";
export { type Labels, type Requirement, requirementText, type SelectorOperator } from "./selector/requirement.ts";
export {
  alreadyExists,
  applyConflict,
  badRequest,
  conflict,
  failure,
  forbidden,
  generateNameConflict,
  internalError,
  invalidObject,
  notFound,
  requestEntityTooLarge,
  resourceExpired,
  type Status,
  type StatusCause,
  type StatusDetails,
  type StatusReason,
  serverTimeout,
  serviceUnavailable,
  success,
  timeout,
  tooManyRequests,
  unauthorized,
} from "./status.ts";
export { trimSpace } from "./trim-space.ts";
export { readTime, type TimeResult } from "./types/go-time.ts";
export {
  fieldManagerErrors,
  TOTAL_ANNOTATION_SIZE_LIMIT,
  toFieldManager,
  validateAnnotations,
  validateManagedFields,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from "./validate-metadata.ts";
export { validateFullyQualifiedName } from "./validate-name.ts";
export { type PathPattern, type ValueAt, valuesAt } from "./values-at.ts";
export {
  BUILTIN_MINORS,
  CURRENT,
  compareMinors,
  FIRST,
  holdsAt,
  isBefore,
  type Minor,
  type MinorRange,
  minorBefore,
  minorsBetween,
  requireMinor,
  toMinor,
} from "./versions.ts";
export { fieldWarning, type Warning } from "./warning.ts";
