// Policies for workloads, derived from policies for pods. `@celadon/admission/autogen`.

export { type Autogen, type AutogenOptions, type DerivedPolicy, deriveWorkloadPolicies } from "./derive.ts";
export type { Note, NoteCode, SkipCode, Skipped } from "./outcome.ts";
export { WORKLOAD_KINDS, type WorkloadKind } from "./workloads.ts";
