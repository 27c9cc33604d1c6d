// Every problem that lint finds: its code, its level and its meaning. Codes are stable: people write them into annotations and
// pipelines. docs/reference/lint.md lists the same, which a test compares.

import { FINDING_CODES, type FindingCode } from "@celadon/admission/resources";
import { FIXES } from "./fixes.ts";
import type { LintCode, OwnCode } from "./lint-code.ts";

/**
 * - `error`: the API server rejects it, or it can never take effect
 * - `warning`: it does not work as written, for some requests or in some clusters
 * - `note`: it may be intended
 */
export type LintLevel = "error" | "warning" | "note";

/** Levels of problems, the most serious first. */
export const LINT_LEVELS: readonly LintLevel[] = ["error", "warning", "note"];

interface Meaning {
  readonly level: LintLevel;
  readonly text: string;
}

/** All that is known about a code. */
export interface LintCodeInfo extends Meaning {
  /** The advice. */
  readonly fix: string;
  /** Its place on the page about lint. */
  readonly url: string;
}

const PAGE = "https://github.com/celadon-dev/celadon/blob/main/docs/reference/lint.md";

/** Findings that can never take effect; the others have the engine's severity, or a lower one when the inputs may be incomplete. */
const NEVER: ReadonlySet<FindingCode> = new Set(["policy_never_matches", "binding_never_matches", "invalid_param_ref"]);
const MAY_BE_MEANT: ReadonlySet<FindingCode> = new Set([
  "unused_param_ref",
  "no_param_ref",
  "unused_variable",
  "order_dependent",
]);

function findingLevel(code: FindingCode): LintLevel {
  if (NEVER.has(code)) return "error";
  return MAY_BE_MEANT.has(code) ? "note" : "warning";
}

// biome-ignore format: one code per line
const OWN: Readonly<Record<OwnCode, Meaning>> = {
  unreadable:                 { level: "error",   text: "the API server cannot read the resource as its kind" },
  invalid_field:              { level: "error",   text: "the API server rejects the value of a field" },
  compile_error:              { level: "error",   text: "an expression does not compile, so the API server rejects it" },
  cost_over_limit:            { level: "error",   text: "rules may cost more than the API server accepts" },
  unknown_field:              { level: "error",   text: "the kind has no such field; kubectl rejects it, other clients drop it" },
  not_in_minor:               { level: "error",   text: "a requested Kubernetes version does not support it yet, or no longer does" },
  differs_in_minor:           { level: "warning", text: "a requested Kubernetes version answers an expression with another value, an error or another cost" },
  not_served:                 { level: "error",   text: "a requested Kubernetes version does not serve this API version" },
  type_mismatch:              { level: "warning", text: "an expression does not fit the schema of a kind the policy matches" },
  type_mismatch_by_wildcard:  { level: "note",    text: "an expression does not fit the schema of a kind that a wildcard or subresource matches" },
  unknown_format:             { level: "warning", text: "API servers do not check this format" },
  impossible_value:           { level: "warning", text: "an expression compares a field with a value that the API server does not accept there" },
  unmatched_selector:         { level: "warning", text: "no namespace in the inputs matches the namespaceSelector" },
  server_warning:             { level: "warning", text: "the API server accepts it with a warning" },
  proposed_field:             { level: "warning", text: "the field was proposed but never shipped in Kubernetes, so clusters do not have it" },
  rule_reads_nothing:         { level: "warning", text: "a rule or validation reads nothing of the request, so its result is always the same" },
  duplicate_validation:       { level: "warning", text: "two validations or match conditions have the same expression" },
  evaluation_fails:           { level: "warning", text: "a validation is proved to fail for some requests" },
  validation_denies_nothing:  { level: "note",    text: "a validation is proved to hold for every request that the policy matches" },
  validation_denies_everything: { level: "warning", text: "a validation is proved to hold for no request that the policy matches" },
  validations_contradict:     { level: "error",   text: "the validations of a policy are proved to deny everything that it matches" },
  redundant_validation:       { level: "note",    text: "a validation is proved to deny nothing that the others do not deny" },
  atomic_in_configuration:    { level: "warning", text: "an apply configuration sets an atomic list or map, which fails when it is applied" },
  rule_never_runs:            { level: "note",    text: "rules of a version that is not served are never evaluated" },
  rules_differ_by_version:    { level: "note",    text: "a served version lacks rules of another, so objects that one rejects can be written through the other" },
  no_use_permission:          { level: "note",    text: "no RBAC in the inputs lets anybody use the certificate policy" },
  unknown_code:               { level: "note",    text: "the lint-ignore annotation has an unknown code" },
};

/** All of them, errors first. */
export const LINT_CODES: ReadonlyMap<LintCode, LintCodeInfo> = new Map(
  [
    ...(Object.entries(OWN) as [LintCode, Meaning][]),
    ...Object.entries(FINDING_CODES).map(([code, text]): [LintCode, Meaning] => [
      code as FindingCode,
      { level: findingLevel(code as FindingCode), text },
    ]),
  ]
    .sort(([, a], [, b]) => LINT_LEVELS.indexOf(a.level) - LINT_LEVELS.indexOf(b.level))
    .map(([code, meaning]) => [code, { ...meaning, fix: FIXES[code], url: `${PAGE}#${code}` }]),
);

/** Whether a name is the code of a problem. */
export function isLintCode(name: string): name is LintCode {
  return LINT_CODES.has(name as LintCode);
}
