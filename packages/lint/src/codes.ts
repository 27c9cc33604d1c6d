// Every problem lint knows: its code, how bad it is, and what it says. Codes are stable: people write them into annotations and
// pipelines. docs/reference/lint.md lists the same, which a test compares.

import { FINDING_CODES, type FindingCode } from "@celadon/admission/resources";

/**
 * - `error`: the API server refuses it, or it never does what it is for
 * - `warning`: it does not work as it is written, for some requests or in some clusters
 * - `note`: it may be meant
 */
export type LintLevel = "error" | "warning" | "note";

export const LINT_LEVELS: readonly LintLevel[] = ["error", "warning", "note"];

interface Meaning {
  readonly level: LintLevel;
  readonly text: string;
}

/** Findings that never do what they are for; the others are as the engine says, or less when the inputs may not be everything. */
const NEVER: ReadonlySet<FindingCode> = new Set(["policy_never_matches", "binding_never_matches", "invalid_param_ref"]);
const MAY_BE_MEANT: ReadonlySet<FindingCode> = new Set(["unused_param_ref", "no_param_ref"]);

function findingLevel(code: FindingCode): LintLevel {
  if (NEVER.has(code)) return "error";
  return MAY_BE_MEANT.has(code) ? "note" : "warning";
}

type OwnCode =
  | "unreadable"
  | "invalid_field"
  | "compile_error"
  | "cost_over_limit"
  | "unknown_field"
  | "not_in_minor"
  | "not_served"
  | "type_mismatch"
  | "type_mismatch_by_wildcard"
  | "unknown_format"
  | "server_warning"
  | "proposed_field"
  | "rule_reads_nothing"
  | "rule_never_runs"
  | "rules_differ_by_version"
  | "no_use_permission"
  | "unknown_code";

// biome-ignore format: one code per line
const OWN: Readonly<Record<OwnCode, Meaning>> = {
  unreadable:                 { level: "error",   text: "the API server cannot read the resource as its kind" },
  invalid_field:              { level: "error",   text: "the API server refuses what a field says" },
  compile_error:              { level: "error",   text: "an expression does not compile, and the API server refuses it" },
  cost_over_limit:            { level: "error",   text: "rules may cost more than the API server accepts" },
  unknown_field:              { level: "error",   text: "the kind has no such field: kubectl refuses it, others drop it" },
  not_in_minor:               { level: "error",   text: "a Kubernetes minor that was asked for does not take it yet, or no longer" },
  not_served:                 { level: "error",   text: "no API server of a minor that was asked for serves this version of the kind" },
  type_mismatch:              { level: "warning", text: "an expression does not fit the schema of a kind the policy matches" },
  type_mismatch_by_wildcard:  { level: "note",    text: "an expression does not fit the schema of some kind that a wildcard or subresource brings in" },
  unknown_format:             { level: "warning", text: "no API server checks this format" },
  server_warning:             { level: "warning", text: "the API server takes it, with a warning" },
  proposed_field:             { level: "warning", text: "the field is an idea that Kubernetes never shipped: a cluster does not know it" },
  rule_reads_nothing:         { level: "warning", text: "a rule or validation looks at nothing of the request: its answer is always the same" },
  rule_never_runs:            { level: "note",    text: "rules of a version that is not served never run" },
  rules_differ_by_version:    { level: "note",    text: "a served version lacks rules that another has: what one refuses passes through the other" },
  no_use_permission:          { level: "note",    text: "nobody may use the certificate policy, as far as the RBAC of the inputs says" },
  unknown_code:               { level: "note",    text: "the lint-ignore annotation names a code there is none of" },
};

export type LintCode = FindingCode | OwnCode;

/** All of them, errors first. */
export const LINT_CODES: ReadonlyMap<LintCode, Meaning> = new Map(
  [
    ...(Object.entries(OWN) as [LintCode, Meaning][]),
    ...Object.entries(FINDING_CODES).map(([code, text]): [LintCode, Meaning] => [
      code as FindingCode,
      { level: findingLevel(code as FindingCode), text },
    ]),
  ].sort(([, a], [, b]) => LINT_LEVELS.indexOf(a.level) - LINT_LEVELS.indexOf(b.level)),
);

export function isLintCode(name: string): name is LintCode {
  return LINT_CODES.has(name as LintCode);
}
