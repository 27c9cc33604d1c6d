// Checks of policies and bindings themselves: reading, defaults, validation, type checking, findings. `@celadon/admission/resources`.

export { type AcceptOptions, acceptBinding, acceptPolicy, readBinding, readPolicy } from "./accept.ts";
export {
  authorizeParamKind,
  authorizeParamRef,
  type BindingParamAccess,
  type ParamAccess,
} from "./authorize-params.ts";
export { withBindingDefaults, withMatchDefaults, withPolicyDefaults } from "./defaults.ts";
export { type ExpressionEstimate, estimateExpressions } from "./estimate-expressions.ts";
export { EXPRESSION_TYPES, ExpressionChecks, type ExpressionField } from "./expression-checks.ts";
export { type ExpressionKind, expressionFields, type WrittenExpression } from "./expression-fields.ts";
export { type FindingSources, findProblems, type PolicySetContents } from "./findings/find-problems.ts";
export { FINDING_CODES, type Finding, type FindingCode } from "./findings/finding.ts";
export { looksLikeExpression } from "./findings/policy-expressions.ts";
export { type CheckedResource, type KindsToCheck, kindsToCheck, type TypeSource } from "./kinds-to-check.ts";
export {
  ADMISSION_REGISTRATION,
  type PolicyResourceKind,
  policyResourceKind,
  type ReadResource,
  readPolicyResource,
  strictDecodingError,
} from "./read.ts";
export { type NameOptions, nameWarnings } from "./static-names.ts";
export { checkedStatus, checkTypes, type TypeCheck, type TypeCheckOptions, type TypeWarning } from "./type-check.ts";
export { validateBinding, validateBindingUpdate, validateParamRef } from "./validate-binding.ts";
export { validateMatchConditions } from "./validate-match-conditions.ts";
export { validateMatchResources } from "./validate-match-resources.ts";
export {
  validateMutatingBinding,
  validateMutatingBindingUpdate,
  validateMutatingPolicy,
  validateMutatingPolicyUpdate,
} from "./validate-mutating-policy.ts";
export { type ValidatePolicyOptions, validatePolicy, validatePolicyUpdate } from "./validate-policy.ts";
export { validateNamedRule, validateRule } from "./validate-rule.ts";
export { validatePolicyStatus } from "./validate-status.ts";
