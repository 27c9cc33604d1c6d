// The public names. In-memory hosts are in `@celadon/admission/memory`, checks of the resources themselves in
// `@celadon/admission/resources`.

export { type DataPath, dataPathText, type ExplainedLoop, type ExplainedNode } from "@celadon/cel/explain";
export { admit, admitEntries } from "./admit.ts";
export { bindParams, type Params, paramScope } from "./bind.ts";
export {
  type CompiledBinding,
  type CompiledPolicy,
  type CompiledRules,
  compileBinding,
  compilePolicy,
  compileRules,
  type Expression,
  type ExpressionOwner,
} from "./compile.ts";
export { type AdmitOptions, RequestContext, type VersionedObjects } from "./context.ts";
export type { Signal } from "./deadline.ts";
export { type Decided, decide, type Failure, type FailureSource } from "./decide.ts";
export { type Declared, type VariableTypes, withEnvironment } from "./environments.ts";
export {
  type AuditAnnotationResult,
  type Costs,
  type Decision,
  type Evaluation,
  type EvaluationInput,
  evaluateConditions,
  evaluatePolicy,
} from "./evaluate.ts";
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
export { exemptionOf } from "./match/exempt.ts";
export { type ConditionsOutcome, matchConditions } from "./match/match-conditions.ts";
export {
  type CompiledMatch,
  compileMatch,
  type MatchOutcome,
  matchResources,
  type NamespaceLabels,
} from "./match/match-resources.ts";
export { type Refusal, refusalText } from "./match/refusal.ts";
export { type RulePart, refusingPart } from "./match/rules.ts";
export { type Matched, type MatchedBinding, match } from "./match.ts";
export * from "./policy.ts";
export {
  createPolicySet,
  type PolicyChange,
  type PolicyEntry,
  type PolicyResource,
  type PolicySet,
  type PolicySetOptions,
} from "./policy-set.ts";
export type { GateName, Gates } from "./proposals/gates.ts";
export { PluginRuns, Reinvocation } from "./reinvocation.ts";
export { denialStatus, denialText, type Report, report } from "./report.ts";
export { type AdmissionRequest, type Operation, requestValue, type UserInfo } from "./request.ts";
export { type Change, type Entry, type Family, Snapshot } from "./snapshot.ts";
export type { BindingOutcome, PolicyOutcome, Verdicts } from "./verdict.ts";
export { headerTexts, warningHeader } from "./warnings.ts";
