// The names of all problems that lint finds.

import type { FindingCode } from "@celadon/admission/resources";

/** Codes of lint itself; the others are findings about policies. */
export type OwnCode =
  | "unreadable"
  | "invalid_field"
  | "compile_error"
  | "cost_over_limit"
  | "unknown_field"
  | "not_in_minor"
  | "differs_in_minor"
  | "not_served"
  | "type_mismatch"
  | "type_mismatch_by_wildcard"
  | "unknown_format"
  | "impossible_value"
  | "unmatched_selector"
  | "server_warning"
  | "proposed_field"
  | "rule_reads_nothing"
  | "duplicate_validation"
  | "evaluation_fails"
  | "validation_denies_nothing"
  | "validation_denies_everything"
  | "validations_contradict"
  | "redundant_validation"
  | "atomic_in_configuration"
  | "rule_never_runs"
  | "rules_differ_by_version"
  | "no_use_permission"
  | "unknown_code";

/** The code of a problem. */
export type LintCode = FindingCode | OwnCode;
