// The remarks of deriving, beside policies: reasons for parts that were left alone, and notes for readers of the derived policy.

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

/** Why nothing was derived from a policy or binding, for programs. */
export type SkipCode = (typeof SKIP_CODES)[number];

/** A policy or binding from which nothing was derived, with one of the reasons. */
export interface Skipped {
  readonly policy: string;
  /** The binding that was skipped, when it was not the policy. */
  readonly binding?: string;
  readonly kinds: readonly WorkloadKind[];
  readonly code: SkipCode;
  readonly message: string;
  /** The field it is about. */
  readonly path: readonly (string | number)[];
  /** The text of an expression, and the place in it. */
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

/** Identifies a difference between a derived policy and its original, for programs. */
export type NoteCode = (typeof NOTE_CODES)[number];

/** A difference between a derived policy and the policy it was derived from. */
export interface Note {
  readonly code: NoteCode;
  readonly message: string;
  readonly path: readonly (string | number)[];
}
