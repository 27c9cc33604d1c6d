// Manifests as a cluster, and requests to it. More by subject: `/manifests` has manifests and the places of their fields,
// `/explain` the reasons for an outcome, `/diff` the comparison of two clusters.

export { appliedOf } from "./applies.ts";
export { certificateRequestFor } from "./certificates.ts";
export { type EvaluatedExpression, Evaluator } from "./evaluator.ts";
export { ADMINISTRATOR, type BuiltRequest, connectionOf, type IntendedRequest, requestOf } from "./intended-request.ts";
export { knownSchema } from "./known-schema.ts";
export { meantVersion } from "./meant-version.ts";
export { mutatingApplied, mutatingCosts } from "./mutation-applies.ts";
export { mutationFindings } from "./mutation-findings.ts";
export { mutationsOf, mutatorText, type ReviewedMutation } from "./mutations.ts";
export { onlyParams, type PolicyName } from "./only-params.ts";
export type {
  MutationFindingCode,
  Outcome,
  Problem,
  ProblemLevel,
  ProblemSource,
  StepName,
  System,
} from "./outcome.ts";
export { policyProblems } from "./policy-problems.ts";
export type { ReviewOptions } from "./review.ts";
export type { ReviewHost, ServerBehaviour } from "./review-host.ts";
export { type AcceptedSetUp, acceptSetUp, type SetUpOptions } from "./set-up.ts";
export {
  identityOf,
  SimulatedCluster,
  type SimulatedClusterChange,
  type SimulatedClusterOptions,
} from "./simulated-cluster.ts";
export { withoutMadeUp } from "./system-fields.ts";
export { type PolicyTally, Tally } from "./tally.ts";
export { schemaAt, unknownFieldHelp } from "./unknown-field-help.ts";
export { impersonated } from "./user.ts";
