// The public names.

export { valueAt } from "@celadon/base";
export { type Applied, appliedOf, hasApplied } from "./applies.ts";
export { ADMINISTRATOR, type Ask, type BuiltRequest, type Connection, connectionOf, requestOf } from "./ask.ts";
export { blameOf } from "./blame.ts";
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
export { type ExplainedPolicy, explainOutcome, type OutcomeExplanation, type PolicyKind } from "./explain.ts";
export { fieldPathIn } from "./field-path-in.ts";
export type { Manifest, Origin } from "./manifest.ts";
export { mutatingApplied, mutatingCosts } from "./mutation-applies.ts";
export type { FailureLevel, Outcome, Problem, Speaker, System } from "./outcome.ts";
export type { ReviewOptions } from "./review.ts";
export { isSetUp, type Role, roleOf } from "./roles.ts";
export { rulePath } from "./rule-failures.ts";
export type { Accepted } from "./set-up.ts";
export { withoutMadeUp } from "./system-fields.ts";
export { type PolicyTally, Tally } from "./tally.ts";
export { impersonated } from "./user.ts";
export { throughVariables, type VariableTrees, variableTrees } from "./variable-places.ts";
export { identityOf, World, type WorldChange, type WorldOptions } from "./world.ts";
