// The public names. In-memory hosts are in `@celadon/admission/memory`, checks of the resources themselves in
// `@celadon/admission/resources`.

export { admit, admitEntries, admitFound, evaluateEntries } from "./admit.ts";
export {
  type CompiledBinding,
  type CompiledPolicy,
  compileBinding,
  compilePolicy,
  type Expression,
} from "./compile/compile.ts";
export { PolicyCompiler } from "./compile/policy-compiler.ts";
export type { MissingParams } from "./decide/bind.ts";
export { decide, type Failure, type FailureSource } from "./decide/decide.ts";
export { type ConditionCheck, conditionChecks, type PolicyCheck, policyChecks } from "./decide/policy-checks.ts";
export { type AdmissionReport, objectName, report } from "./decide/report.ts";
export { type BindingOutcome, hasApplied, type PolicyOutcome, type Verdicts } from "./decide/verdict.ts";
export { headerTexts, warningHeader } from "./decide/warnings.ts";
export { type AdmitOptions, RequestContext, type VersionedObjects } from "./evaluate/context.ts";
export { EVALUATION_TIME, type Signal } from "./evaluate/deadline.ts";
export { type AuditAnnotationResult, type Costs, type Evaluation, evaluatePolicy } from "./evaluate/evaluate.ts";
export { expressionList, expressionPath } from "./evaluate/expression-path.ts";
export type { EvaluationObserver, ExpressionPlace, ExpressionResult } from "./evaluate/expressions.ts";
export {
  type ExplainedExpression,
  ExplainingObserver,
  type Explanation,
  explain,
  type OwnedExpression,
} from "./explain.ts";
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
export { Reinvocation } from "./reinvocation.ts";
export { type AdmissionRequest, type Operation, requestValue, type UserInfo } from "./request.ts";
export { candidatesIn } from "./set/candidates.ts";
export {
  createPolicySet,
  type PolicyChange,
  type PolicyEntry,
  type PolicyResource,
  type PolicySet,
  type PolicySetOptions,
} from "./set/policy-set.ts";
export { applySilently } from "./silence.ts";
