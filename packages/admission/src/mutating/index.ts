// Mutating policies: `@celadon/admission/mutating`.

export {
  type CompiledMutatingPolicy,
  type CompiledMutation,
  compileMutatingPolicy,
  createMutatingPolicySet,
  type MutatingPolicyChange,
  type MutatingPolicyEntry,
  type MutatingPolicyResource,
  type MutatingPolicySet,
} from "./compile.ts";
export { mutate, mutateEntries, mutatingDenialText } from "./dispatch.ts";
export type { MutatingHosts } from "./hosts.ts";
export type {
  InvocationResult,
  MutatingBinding,
  MutatingFailure,
  MutatingPolicyReport,
  MutationResult,
  NotInvoked,
  Patch,
} from "./verdict.ts";
