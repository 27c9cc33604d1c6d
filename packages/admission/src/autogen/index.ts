// Policies for workloads, derived from policies for pods. `@celadon/admission/autogen`.

export { type Autogen, type AutogenOptions, type DerivedPolicy, deriveWorkloadPolicies } from "./derive.ts";
export { NOTE_CODES, type Note, type NoteCode, SKIP_CODES, type SkipCode, type Skipped } from "./outcome.ts";
export { DEFAULT_KINDS, WORKLOAD_KINDS, type WorkloadKind } from "./workloads.ts";
