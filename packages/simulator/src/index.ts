// The public names.

export type { Manifest, Origin } from "./manifest.ts";
export type { FailureLevel, Outcome, Problem, Speaker, System } from "./outcome.ts";
