// The spec of a job, alone or in a CronJob.

import { quoteGo, utf8Length } from "@celadon/base";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "../../api/generated/batch-v1.ts";
import { JsonShown, OMIT_VALUE } from "../../field-error.ts";
import { isInvalid } from "../../invalid.ts";
import { checkQualifiedName } from "../../names.ts";
import { domainPrefixedPath } from "../checks/domain-path.ts";
import { podTemplate } from "../core/pod/template.ts";
import type { ValidatedField } from "../field.ts";
import { shownAs } from "../show/internal.ts";
import { countIndexes } from "./indexes.ts";

const MAX_PARALLELISM = 100_000;
const MAX_FAILED_INDEXES = 100_000;
/** Above so many completions, others are limited further. */
const MANY_COMPLETIONS = 100_000;
const MAX_WITH_MANY = 10_000;
const MAX_MANAGED_BY = 63;
const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_PATTERNS = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;
const WITH_MANY = `when completions are above ${MANY_COMPLETIONS} and used with backoff limit per index`;

const ACTIONS = ["Count", "FailIndex", "FailJob", "Ignore"];
const EXIT_CODE_OPERATORS = ["In", "NotIn"];
const CONDITION_STATUSES = ["False", "True", "Unknown"];

export function jobSpec(spec: JobSpec, at: ValidatedField): void {
  at.child("parallelism").notNegative(spec.parallelism);
  at.child("completions").notNegative(spec.completions);
  at.child("activeDeadlineSeconds").notNegative(spec.activeDeadlineSeconds);
  at.child("backoffLimit").notNegative(spec.backoffLimit);
  at.child("ttlSecondsAfterFinished").notNegative(spec.ttlSecondsAfterFinished);
  at.child("backoffLimitPerIndex").notNegative(spec.backoffLimitPerIndex);
  if (spec.maxFailedIndexes !== undefined) {
    at.child("maxFailedIndexes").notNegative(spec.maxFailedIndexes);
    if (spec.backoffLimitPerIndex === undefined) {
      at.child("backoffLimitPerIndex").required("when maxFailedIndexes is specified");
    }
  }
  managedBy(spec.managedBy, at.child("managedBy"));
  at.child("completionMode").mayBeOneOf(spec.completionMode, ["NonIndexed", "Indexed"]);
  if (spec.completionMode === "Indexed") indexedJob(spec, at);
  if ((spec.completionMode ?? "NonIndexed") === "NonIndexed") onlyForIndexed(spec, at);
  if (spec.podFailurePolicy) failurePolicy(spec, at.child("podFailurePolicy"));
  if (spec.successPolicy) successPolicy(spec, at.child("successPolicy"));
  const replacement = at.child("podReplacementPolicy");
  replacement.mayBeOneOf(
    spec.podReplacementPolicy,
    spec.podFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"],
  );
  podTemplate(spec.template, at.child("template"));
  restartPolicy(spec, at.child("template", "spec", "restartPolicy"));
}

/** Another controller's name. */
function managedBy(name: string | undefined, at: ValidatedField): void {
  if (name === undefined) return;
  domainPrefixedPath(name, at);
  if (utf8Length(name) > MAX_MANAGED_BY) at.tooLong(MAX_MANAGED_BY);
}

function indexedJob(spec: JobSpec, at: ValidatedField): void {
  const { completions, parallelism, maxFailedIndexes: failed } = spec;
  if (completions === undefined) at.child("completions").required("when completion mode is Indexed");
  if ((parallelism ?? 0) > MAX_PARALLELISM) {
    const detail = `must be less than or equal to ${MAX_PARALLELISM} when completion mode is Indexed`;
    at.child("parallelism").invalid(parallelism, detail);
  }
  const place = at.child("maxFailedIndexes");
  if (completions !== undefined && (failed ?? 0) > completions) {
    place.invalid(failed, "must be less than or equal to completions");
  }
  if ((failed ?? 0) > MAX_FAILED_INDEXES) place.invalid(failed, `must be less than or equal to ${MAX_FAILED_INDEXES}`);
  if ((completions ?? 0) <= MANY_COMPLETIONS || spec.backoffLimitPerIndex === undefined) return;
  if (failed === undefined) place.required(`must be specified when completions is above ${MANY_COMPLETIONS}`);
  const detail = `must be less than or equal to ${MAX_WITH_MANY} ${WITH_MANY}`;
  if ((parallelism ?? 0) > MAX_WITH_MANY) at.child("parallelism").invalid(parallelism, detail);
  if ((failed ?? 0) > MAX_WITH_MANY) place.invalid(failed, detail);
}

function onlyForIndexed(spec: JobSpec, at: ValidatedField): void {
  for (const field of ["backoffLimitPerIndex", "maxFailedIndexes"] as const) {
    if (spec[field] !== undefined) at.child(field).invalid(spec[field], "requires indexed completion mode");
  }
}

function failurePolicy(spec: JobSpec, at: ValidatedField): void {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const place = at.child("rules");
  if (rules.length > MAX_RULES) place.tooMany(rules.length, MAX_RULES);
  const { containers, initContainers } = spec.template?.spec ?? {};
  const names = new Set([...(containers ?? []), ...(initContainers ?? [])].map((container) => container.name ?? ""));
  place.each(rules, (rule, each) => failureRule(rule, spec, names, each));
}

function failureRule(rule: PodFailurePolicyRule, spec: JobSpec, names: ReadonlySet<string>, at: ValidatedField): void {
  const { action, onExitCodes, onPodConditions } = rule;
  if (action !== "FailIndex") mustBeListed(action, ACTIONS, at.child("action"));
  else if (spec.backoffLimitPerIndex === undefined) {
    at.child("action").invalid(new JsonShown(action), "requires the backoffLimitPerIndex to be set");
  }
  if (onExitCodes) exitCodes(onExitCodes, names, at.child("onExitCodes"));
  if (onPodConditions?.length) podConditions(onPodConditions, at.child("onPodConditions"));
  if (onExitCodes && onPodConditions?.length) {
    at.invalid(OMIT_VALUE, "specifying both OnExitCodes and OnPodConditions is not supported");
  }
  if (!onExitCodes && !onPodConditions?.length) {
    at.invalid(OMIT_VALUE, "specifying one of OnExitCodes and OnPodConditions is required");
  }
}

function mustBeListed(value: string | undefined, supported: readonly string[], at: ValidatedField): void {
  if (value) at.oneOf(value, supported);
  else at.required(`valid values: [${supported.map(quoteGo).join(" ")}]`);
}

function podConditions(patterns: readonly PodFailurePolicyOnPodConditionsPattern[], at: ValidatedField): void {
  if (patterns.length > MAX_PATTERNS) at.tooMany(patterns.length, MAX_PATTERNS);
  at.each(patterns, (pattern, each) => {
    each.child("type").check(pattern.type, checkQualifiedName);
    mustBeListed(pattern.status, CONDITION_STATUSES, each.child("status"));
  });
}

const EXIT_CODES = "[]int32";

function exitCodes(
  given: PodFailurePolicyOnExitCodesRequirement,
  names: ReadonlySet<string>,
  at: ValidatedField,
): void {
  const { operator, containerName, values = [] } = given;
  mustBeListed(operator, EXIT_CODE_OPERATORS, at.child("operator"));
  if (containerName != null && !names.has(containerName)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    at.child("containerName").invalid(containerName, detail);
  }
  const place = at.child("values");
  const codes = values ?? [];
  if (codes.length === 0) place.invalid(new JsonShown(values, EXIT_CODES), "at least one value is required");
  else if (codes.length > MAX_EXIT_CODES) place.tooMany(codes.length, MAX_EXIT_CODES);
  place.each(codes, (code, each, i) => {
    if (operator === "In" && code === 0) each.invalid(code, "must not be 0 for the In operator");
    if (codes.indexOf(code) < i) each.duplicate(code);
  });
  if (codes.some((code, i) => i > 0 && codes[i - 1]! > code))
    place.invalid(new JsonShown(codes, EXIT_CODES), "must be ordered");
}

function successPolicy(spec: JobSpec, at: ValidatedField): void {
  if (spec.completionMode !== "Indexed") {
    at.invalid(shownAs("batch.SuccessPolicy", spec.successPolicy), "requires indexed completion mode");
    return;
  }
  const rules = spec.successPolicy?.rules ?? [];
  const place = at.child("rules");
  if (rules.length === 0) place.required("at least one rules must be specified when the successPolicy is specified");
  if (rules.length > MAX_RULES) place.tooMany(rules.length, MAX_RULES);
  place.each(rules, (rule, each) => successRule(rule, spec.completions ?? 0, each));
}

function successRule(rule: SuccessPolicyRule, completions: number, at: ValidatedField): void {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  if (count === undefined && indexes === undefined) {
    at.required("at least one of succeededCount or succeededIndexes must be specified");
  }
  let total = 0;
  if (indexes !== undefined) {
    const place = at.child("succeededIndexes");
    if (utf8Length(indexes) > MAX_INDEXES_LENGTH) place.tooLong(MAX_INDEXES_LENGTH);
    const counted = countIndexes(indexes, completions);
    if (isInvalid(counted)) place.invalid(indexes, `error parsing succeededIndexes: ${counted.message}`);
    else total = counted;
  }
  if (count === undefined) return;
  const place = at.child("succeededCount");
  place.notNegative(count);
  if (count > completions) {
    place.invalid(count, `must be less than or equal to ${completions} (the number of specified completions)`);
  }
  if (indexes !== undefined && count > total) {
    const what = "the number of indexes in the specified succeededIndexes field";
    place.invalid(count, `must be less than or equal to ${total} (${what})`);
  }
}

/** Pods of a job end. */
function restartPolicy(spec: JobSpec, at: ValidatedField): void {
  const policy = spec.template?.spec?.restartPolicy ?? "";
  if (policy === "" || policy === "Always") at.required('valid values: "OnFailure", "Never"');
  else if (policy !== "OnFailure" && policy !== "Never") at.unsupported(policy, ["OnFailure", "Never"]);
  else if (spec.podFailurePolicy && policy !== "Never") {
    at.invalid(new JsonShown(policy), 'only "Never" is supported when podFailurePolicy is specified');
  }
}
