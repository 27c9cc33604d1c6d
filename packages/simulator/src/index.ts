// The public names.

export { type Applied, appliedOf, hasApplied } from "./applies.ts";
export { ADMINISTRATOR, type Ask, type BuiltRequest, type Connection, connectionOf, requestOf } from "./ask.ts";
export { blameOf } from "./blame.ts";
export type { Cluster, ServerBehaviour } from "./cluster.ts";
export { type DerivedManifests, deriveWorkloads } from "./derive.ts";
export {
  CHANGE_KINDS,
  type ChangeKind,
  changeOf,
  type Gone,
  type OutcomeChange,
  type ProblemChange,
  type Side,
  sideOf,
  type ValueChange,
} from "./diff/change-of.ts";
export { type ResourceChange, resourceChanges } from "./diff/resource-changes.ts";
export {
  type Compared,
  type Counted,
  type PairAsk,
  type PolicyMatches,
  WorldPair,
  type WorldSets,
} from "./diff/world-pair.ts";
export { type ExplainedPolicy, explainOutcome, type OutcomeExplanation } from "./explain.ts";
export { expressionsIn, type ManifestExpression } from "./expressions.ts";
export { type Manifest, type Origin, type Place, placeOf } from "./manifest.ts";
export type { FailureLevel, Outcome, Problem, Speaker, StepName, System } from "./outcome.ts";
export type { ReviewOptions } from "./review.ts";
export { isSetUp, type Role, roleOf } from "./roles.ts";
export { type RuleInSchema, rulePath } from "./rule-path.ts";
export { type AcceptedSetUp, acceptSetUp, isSetUpRole, type SetUpOptions, type SetUpRole } from "./set-up.ts";
export { withoutMadeUp } from "./system-fields.ts";
export { type PolicyTally, Tally } from "./tally.ts";
export { impersonated } from "./user.ts";
export { throughVariables, type VariableTrees, variableTrees } from "./variable-places.ts";
export { identityOf, World, type WorldChange, type WorldOptions } from "./world.ts";
