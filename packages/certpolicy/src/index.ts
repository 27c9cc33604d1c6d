// The public names. Decoding a CSR alone is in `@celadon/certpolicy/csr`.

export { type CertificateSpec, requestOfCertificate } from "./certificate/request-of.ts";
export { POLICY_DEFINITION, type Schema } from "./definition.ts";
export { evaluateAllowed } from "./evaluate/allowed.ts";
export { csrOf } from "./evaluate/request.ts";
export type { Evaluation } from "./evaluate/result.ts";
export {
  type ExplainedRule,
  explainRules,
  RuleExplainer,
  type RuleExplanation,
  requestPath,
} from "./explain/explain-rules.ts";
export type { Plugin, PluginValidation, Readiness } from "./plugin.ts";
export * from "./resource.ts";
export {
  type Approver,
  type ApproverAnswer,
  type CertificatePolicyOutcome,
  type CertificateReview,
  Reviewer,
  type ReviewerOptions,
} from "./review.ts";
export { RuleCache } from "./rules/cache.ts";
export type { RuleObserver, RulePlace } from "./rules/observe.ts";
export { compileRule, RULE_COST_LIMIT, RULE_ENVIRONMENT, Rule } from "./rules/rule.ts";
export { policyRuleFields, type WrittenPolicyRule } from "./rules/rule-fields.ts";
export type { NamespaceSource, SelectionHost, UseAuthorizer } from "./select/host.ts";
export { NamespaceMatcher, type Selection, type SelectionRefusal } from "./select/select.ts";
export { type Event, isDecided, type PolicyStatus, policyStatus, type RequestStatus, requestStatus } from "./status.ts";
export { policySchemaErrors } from "./validate/shape.ts";
export { policyErrors, type ValidateOptions, type Validation, validatePolicy } from "./validate/validate.ts";
export { matchesWildcard } from "./wildcard.ts";
