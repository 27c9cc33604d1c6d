// The writing of objects by their kind: `@celadon/write/strategy`.

export { AS_WRITTEN, withoutChecks } from "./as-written.ts";
export { customStrategy } from "./custom-strategy.ts";
export { builtinDeletion, CLEANUP } from "./deletion.ts";
export { type DeletionOptions, deletionPlan, FOREGROUND, ORPHAN } from "./deletion-plan.ts";
export { loadStrategy } from "./load-strategy.ts";
export type { PolicyHosts } from "./policy-strategy.ts";
export type { Deletion, Strategy, Validated } from "./strategy.ts";
