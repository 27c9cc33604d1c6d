// The public names. In-memory hosts are in `@celadon/admission/memory`, checks of the resources themselves in
// `@celadon/admission/resources`.

export { admit, admitEntries, admitFound, evaluateEntries } from "./admit.ts";
export type { MissingParams } from "./bind.ts";
export { candidatesIn } from "./candidates.ts";
export {
  type CompiledBinding,
  type CompiledPolicy,
  compileBinding,
  compilePolicy,
  type Expression,
} from "./compile.ts";
export { type AdmitOptions, RequestContext, type VersionedObjects } from "./context.ts";
export { EVALUATION_TIME, type Signal } from "./deadline.ts";
export { decide, type Failure, type FailureSource } from "./decide.ts";
export { type AuditAnnotationResult, type Costs, type Evaluation, evaluatePolicy } from "./evaluate.ts";
export {
  type ExplainedExpression,
  ExplainingObserver,
  type Explanation,
  explain,
  type OwnedExpression,
} from "./explain.ts";
export { expressionList, expressionPath } from "./expression-path.ts";
export type { EvaluationObserver, ExpressionPlace, ExpressionResult } from "./expressions.ts";
export {
  type Authorizer,
  type Converter,
  HostError,
  type Hosts,
  type Maybe,
  type NamespaceSource,
  type ParamSource,
  type ResourceMapper,
  type SchemaSource,
} from "./hosts.ts";
export { type CompiledMatch, nearMiss } from "./match/match-resources.ts";
export { type Refusal, refusalText } from "./match/refusal.ts";
export { refusingPart } from "./match/rules.ts";
export { match } from "./match.ts";
export * from "./policy.ts";
export { type ConditionCheck, conditionChecks, type PolicyCheck, policyChecks } from "./policy-checks.ts";
export { PolicyCompiler } from "./policy-compiler.ts";
export {
  createPolicySet,
  type PolicyChange,
  type PolicyEntry,
  type PolicyResource,
  type PolicySet,
  type PolicySetOptions,
} from "./policy-set.ts";
export { Reinvocation } from "./reinvocation.ts";
export { type AdmissionReport, objectName, report } from "./report.ts";
export { type AdmissionRequest, type Operation, requestValue, type UserInfo } from "./request.ts";
export { applySilently } from "./silence.ts";
export { type BindingOutcome, hasApplied, type PolicyOutcome, type Verdicts } from "./verdict.ts";
export { headerTexts, warningHeader } from "./warnings.ts";
