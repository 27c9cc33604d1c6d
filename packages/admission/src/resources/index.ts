// Checks of policies and bindings themselves: reading, defaults, validation, type checking, findings. `@celadon/admission/resources`.

export { acceptPolicyResource, readWithDefaults } from "./accept.ts";
export {
  authorizeParamKind,
  authorizeParamRef,
  type BindingParamAccess,
  type ParamAccess,
} from "./authorize-params.ts";
export { withBindingDefaults, withPolicyDefaults, withResourceDefaults } from "./defaults.ts";
export type { CheckingOptions } from "./expression-checks.ts";
export { type ExpressionKind, expressionFields, type WrittenExpression } from "./expression-fields.ts";
export { type FindingSources, findProblems, type PolicySetContents } from "./findings/find-problems.ts";
export { FINDING_CODES, type FindingCode, type PolicyFinding } from "./findings/finding.ts";
export { unguardedParams } from "./findings/null-reads.ts";
export { looksLikeExpression } from "./findings/policy-expressions.ts";
export {
  ADMISSION_REGISTRATION,
  type PolicyResourceKind,
  policyResourceKind,
  type ReadResource,
  type ResourceOf,
  readPolicyResource,
  strictDecodingError,
} from "./read.ts";
export { type ExpressionEstimate, estimateExpressions } from "./type-check/estimate-expressions.ts";
export type { CheckedResource, TypeSource } from "./type-check/kinds-to-check.ts";
export { isQuantityName } from "./type-check/quantity-fields.ts";
export { validateTypes } from "./type-check/strict-types.ts";
export {
  checkedStatus,
  checkTypes,
  type TypeCheck,
  type TypeCheckOptions,
  type TypeWarning,
} from "./type-check/type-check.ts";
export { type NameOptions, nameWarnings, reservedNameErrors } from "./validate/static-names.ts";
export { validateBinding } from "./validate/validate-binding.ts";
export { validateMutatingBinding, validateMutatingPolicy } from "./validate/validate-mutating-policy.ts";
export { validatePolicy } from "./validate/validate-policy.ts";
export type { ValidatePolicyOptions } from "./validate/validate-policy-spec.ts";
export { validatePolicyResource } from "./validate/validate-resource.ts";
export { validatePolicyStatus } from "./validate/validate-status.ts";
