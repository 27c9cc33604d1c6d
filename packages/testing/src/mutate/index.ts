// Mutation testing: the changes that a suite does not detect.

export { applyEdit, type Edit } from "./edit.ts";
export { mutationDocument } from "./json.ts";
export { type Aspects, type Mutant, type MutantsOf, type MutatedResource, mutantsOf } from "./mutant.ts";
export {
  type Found,
  type MutationOptions,
  type MutationRun,
  type Performer,
  PolicyMutation,
  runMutation,
} from "./mutation.ts";
export type { MutatorRow } from "./mutators.ts";
export type { MutationPlan, PlannedMutant } from "./plan.ts";
export {
  type MutantOutcome,
  type MutantResult,
  type MutatedScore,
  type MutationReport,
  type MutationTally,
  mutationReport,
  mutationScore,
  survivorsOf,
} from "./report.ts";
export { type StarterOptions, starterCases } from "./starter-cases.ts";
export type { Fate } from "./trial.ts";
export type { Witness } from "./witness.ts";
