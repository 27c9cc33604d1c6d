// The public names. Decoding a CSR alone is in `@celadon/certpolicy/csr`.

export { type CertificateSpec, requestOfCertificate } from "./certificate/request-of.ts";
export { POLICY_DEFINITION, type SchemaData } from "./definition.ts";
export { evaluateAllowed } from "./evaluate/allowed.ts";
export { csrOf } from "./evaluate/request.ts";
export type { CertificateEvaluation } from "./evaluate/result.ts";
export {
  type CertificateRuleExplanation,
  type ExplainedCertificateRule,
  explainRules,
  RuleExplainer,
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
export type { CertificateRuleObserver, CertificateRulePlace } from "./rules/observe.ts";
export { compileRule, RULE_COST_LIMIT, RULE_ENVIRONMENT, Rule } from "./rules/rule.ts";
export { policyRuleFields, type WrittenPolicyRule } from "./rules/rule-fields.ts";
export type { NamespaceLookup, SelectionHost, UseAuthorizer } from "./select/host.ts";
export { NamespaceMatcher, type PolicySelection, type SelectionRefusal } from "./select/select.ts";
export { type Event, isDecided, type PolicyStatus, policyStatus, type RequestStatus, requestStatus } from "./status.ts";
export { policySchemaErrors } from "./validate/shape.ts";
export {
  type CertificatePolicyValidation,
  policyErrors,
  type ValidateCertificatePolicyOptions,
  validatePolicy,
} from "./validate/validate.ts";
export { matchesWildcard } from "./wildcard.ts";
