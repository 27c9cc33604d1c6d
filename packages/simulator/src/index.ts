// The public names.

export { ADMINISTRATOR, type Ask, type BuiltRequest, requestOf } from "./ask.ts";
export { fieldPathIn, valueAt } from "./field-path-in.ts";
export type { Manifest, Origin } from "./manifest.ts";
export type { FailureLevel, Outcome, Problem, Speaker, System } from "./outcome.ts";
export type { ReviewOptions } from "./review.ts";
export { type Role, roleOf } from "./roles.ts";
export type { Accepted } from "./set-up.ts";
export { identityOf, World, type WorldChange, type WorldOptions } from "./world.ts";
