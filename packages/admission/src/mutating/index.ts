// Mutating policies: `@celadon/admission/mutating`.

export { atomicFields } from "@celadon/merge/configuration";
export type { Reading } from "../hosts.ts";
export {
  type CompiledMutatingPolicy,
  compileMutatingPolicy,
  createMutatingPolicySet,
  type MutatingPolicyChange,
  type MutatingPolicyEntry,
  type MutatingPolicyResource,
  type MutatingPolicySet,
} from "./compile.ts";
export { mutateEntries } from "./dispatch.ts";
export type { MutatingHosts } from "./hosts.ts";
export { type EvaluatedMutations, evaluateMutations } from "./mutate.ts";
export {
  type MutationCheck,
  mutationChecks,
  mutationConditionChecks,
} from "./mutation-checks.ts";
export type { MutatingFailure, MutatingPolicyReport } from "./verdict.ts";
