// What deriving answers besides policies: why something was left alone, and what a reader of the derived policy should know.

import type { WorkloadKind } from "./workloads.ts";

/** Described in docs/reference/autogen.md. */
export const SKIP_CODES = [
  "no_pods",
  "more_than_pods",
  "no_rules_left",
  "does_not_compile",
  "variable_defined_twice",
  "whole_object",
  "no_counterpart",
  "unknown_field",
  "computed_field",
  "request_resource",
  "invalid_selector",
  "too_many_conditions",
  "derived_does_not_compile",
] as const;

export type SkipCode = (typeof SKIP_CODES)[number];

/** A policy or a binding that nothing was derived from, with one reason; there may be several. */
export interface Skipped {
  readonly policy: string;
  /** The binding that was skipped, when it was not the policy. */
  readonly binding?: string;
  readonly kinds: readonly WorkloadKind[];
  readonly code: SkipCode;
  readonly message: string;
  /** The field it is about. */
  readonly path: readonly (string | number)[];
  /** Of expressions: the text, and where in it. */
  readonly expression?: string;
  readonly position?: { readonly line: number; readonly column: number };
}

export const NOTE_CODES = [
  "subresources_left_out",
  "named_pods_left_out",
  "selector_became_condition",
  "own_name_read",
  "comments_lost",
] as const;

export type NoteCode = (typeof NOTE_CODES)[number];

/** Something a derived policy does not say as the policy it comes from. */
export interface Note {
  readonly code: NoteCode;
  readonly message: string;
  readonly path: readonly (string | number)[];
}
