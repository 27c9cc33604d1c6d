// What deriving answers besides policies: why something was left alone, and what a reader of the derived policy should know.

import type { WorkloadKind } from "./workloads.ts";

export type SkipCode =
  /** No rule of the policy matches pods. */
  | "no_pods"
  /** A rule matches something else as well: its expressions may be about that. */
  | "more_than_pods"
  /** Rules for pods are left, but only such as never match the pods of a workload. */
  | "no_rules_left"
  | "does_not_compile"
  | "variable_defined_twice"
  /** The pod as a whole, or its metadata, is compared, passed on or walked through. */
  | "whole_object"
  /** A field that a pod has and a template has not. */
  | "no_counterpart"
  | "unknown_field"
  /** `object[x]`, where x is not known. */
  | "computed_field"
  /** What is asked about is the resource of the request. */
  | "request_resource"
  | "invalid_selector"
  | "too_many_conditions"
  /** The rewritten expression is not accepted: it has become too long, or compares types that cannot be equal. */
  | "derived_does_not_compile";

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

export type NoteCode =
  | "subresources_left_out"
  | "named_pods_left_out"
  | "selector_became_condition"
  | "own_name_read"
  | "comments_lost";

/** Something a derived policy does not say as the policy it comes from. */
export interface Note {
  readonly code: NoteCode;
  readonly message: string;
  readonly path: readonly (string | number)[];
}
