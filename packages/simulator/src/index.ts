// Manifests as a cluster, and requests to it. More by subject: `/manifests` has manifests and the places of their fields,
// `/explain` the reasons for an outcome, `/diff` the comparison of two clusters.

export { type EvaluatedExpression, Evaluator } from "./evaluator.ts";
export { appliedOf } from "./explain/applies.ts";
export { mutatingApplied, mutatingCosts } from "./explain/mutation-applies.ts";
export { onlyParams, type PolicyName } from "./explain/only-params.ts";
export { type PolicyTally, Tally } from "./explain/tally.ts";
export { validatingCost } from "./explain/validating-cost.ts";
export { mutationFindings } from "./mutation/mutation-findings.ts";
export { mutationsOf, mutatorText, type ReviewedMutation } from "./mutation/mutations.ts";
export type {
  MutationFindingCode,
  Outcome,
  OutcomeStep,
  Problem,
  ProblemLevel,
  ProblemSource,
  System,
} from "./outcome/outcome.ts";
export { policyProblems } from "./outcome/policy-problems.ts";
export { meantField, schemaAt, unknownFieldHelp } from "./outcome/unknown-field-help.ts";
export {
  ADMINISTRATOR,
  type BuiltRequest,
  connectionOf,
  type IntendedRequest,
  requestOf,
} from "./request/intended-request.ts";
export { meantVersion } from "./request/meant-version.ts";
export { impersonated } from "./request/user.ts";
export { certificateRequestFor } from "./review/certificates.ts";
export type { ReviewOptions } from "./review/review.ts";
export type { ReviewHost, ServerBehaviour } from "./review-host.ts";
export { type AcceptedSetUp, type AcceptSetUpOptions, acceptSetUp } from "./simulated/set-up.ts";
export {
  identityOf,
  SimulatedCluster,
  type SimulatedClusterChange,
  type SimulatedClusterOptions,
} from "./simulated/simulated-cluster.ts";
export { knownSchema } from "./stages/known-schema.ts";
export { withoutMadeUp } from "./stages/system-fields.ts";
