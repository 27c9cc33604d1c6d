// Jobs.

import { semanticEqual } from "@celadon/base";
import type { Job, JobSpec } from "../../api/generated/batch-v1.ts";
import type { PodSpec, PodTemplateSpec } from "../../api/generated/core-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { type FieldPath, fieldPath } from "../../field-path.ts";
import { checkDns1123Label, checkDns1123Subdomain } from "../../names.ts";
import { fieldWarning, type Warning } from "../../warning.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { labelSelector } from "../checks/selectors.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { podWarnings } from "../core/pod/warnings.ts";
import { isNewGeneration, nameWarnings, selects, shownSelector, templateNotSelected } from "../core/workload.ts";
import { shownPointer, type ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";
import { jobSpec } from "./job-spec.ts";
import { jobStatusUpdate } from "./job-status.ts";

const TEMPLATE = ["spec", "template"];
const UID_LABEL = "batch.kubernetes.io/controller-uid";
const NAME_LABEL = "batch.kubernetes.io/job-name";
const OLD_UID_LABEL = "controller-uid";
const OLD_NAME_LABEL = "job-name";

export const job: AnyKindRules = kindRules<Job>({
  kind: { group: "batch", kind: "Job" },
  resource: "jobs",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate: (object, request) =>
    prepare(object.spec?.manualSelector === true ? object : withSelector(object), request.by),
  prepareUpdate: (object, _old, request) => prepare(object, request.by),
  validate: (object, at) => wholeJob(object, true, at),
  validateUpdate(object, old, at) {
    const labels = old.spec?.template?.metadata?.labels ?? {};
    wholeJob(object, labels[NAME_LABEL] !== undefined && labels[UID_LABEL] !== undefined, at);
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    specUpdate(object, old, at.child("spec"));
  },
  warnOnCreate: (object, by) => [
    ...nameWarnings(object.metadata),
    ...jobSpecWarnings(by, object.spec ?? {}, fieldPath("spec")),
  ],
  warnOnUpdate: (object, old, by) =>
    isNewGeneration(object, old) ? jobSpecWarnings(by, object.spec ?? {}, fieldPath("spec")) : [],
  subresources: { status: { keeps: [SPEC], validateUpdate: jobStatusUpdate } },
});

function prepare(object: Job, by: Emulation): Job {
  return withField(object, TEMPLATE, templateWithoutDisabled(object.spec?.template, by));
}

/**
 * Pods are found by the job's uid, in labels that the template is given. A job without labels has those of its template by default, which
 * are the same map: it gets these too.
 */
function withSelector(object: Job): Job {
  const { name = "", uid = "" } = object.metadata ?? {};
  const labels = {
    [OLD_NAME_LABEL]: name,
    [NAME_LABEL]: name,
    [OLD_UID_LABEL]: uid,
    [UID_LABEL]: uid,
    ...object.spec?.template?.metadata?.labels,
  };
  const { selector } = object.spec ?? {};
  const matchLabels = { [UID_LABEL]: uid, ...selector?.matchLabels };
  const own = object.metadata?.labels;
  const isShared = own !== undefined && own === object.spec?.template?.metadata?.labels;
  const labelled = withField(object, [...TEMPLATE, "metadata", "labels"], labels);
  const ready = isShared ? withField(labelled, ["metadata", "labels"], labels) : labelled;
  return withField(ready, ["spec", "selector"], { ...selector, matchLabels });
}

function wholeJob(object: Job, prefixedLabels: boolean, at: ValidatedField): void {
  metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
  generatedSelector(object, prefixedLabels, at);
  selectedJobSpec(object.spec ?? {}, at.child("spec"));
  const { completionMode, completions = 0 } = object.spec ?? {};
  const name = object.metadata?.name ?? "";
  const host = `${name}-${completions - 1}`;
  if (completionMode === "Indexed" && completions > 0 && checkDns1123Label(host).length > 0) {
    const detail = `will not able to create pod with invalid DNS label: ${host}`;
    at.child("metadata", "name").invalid(name, detail);
  }
}

function generatedSelector(object: Job, prefixedLabels: boolean, at: ValidatedField): void {
  const { selector, manualSelector, template } = object.spec ?? {};
  if (manualSelector === true || selector === undefined) return;
  const { uid = "", name = "" } = object.metadata ?? {};
  if (uid === "") at.child("metadata", "uid").required();
  const wanted = {
    [OLD_UID_LABEL]: uid,
    [OLD_NAME_LABEL]: name,
    ...(prefixedLabels ? { [UID_LABEL]: uid, [NAME_LABEL]: name } : {}),
  };
  const labels = template?.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(wanted)) {
    const place = at.child("spec", "template", "metadata", "labels").key(key);
    if (labels[key] === undefined) place.required(`must be '${value}'`);
    else if (labels[key] !== value) place.invalid(labels, `must be '${value}'`);
  }
  if (selects(selector, wanted) === false) {
    at.child("spec", "selector").invalid(shownSelector(selector), "`selector` not auto-generated");
  }
}

function selectedJobSpec(spec: JobSpec, at: ValidatedField): void {
  jobSpec(spec, at);
  if (spec.selector === undefined) at.child("selector").required();
  else labelSelector(spec.selector, at.child("selector"));
  if (selects(spec.selector, spec.template?.metadata?.labels) === false) {
    templateNotSelected(spec.template, at.child("template"));
  }
}

function specUpdate(object: Job, old: Job, at: ValidatedField): void {
  const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
  selectedJobSpec(spec, at);
  completions(spec, before, at.child("completions"));
  at.child("selector").immutable(spec.selector, before.selector, shownSelector);
  templateUpdate(spec, old, at);
  at.child("completionMode").immutable(spec.completionMode, before.completionMode, shownPointer);
  at.child("podFailurePolicy").immutable(spec.podFailurePolicy, before.podFailurePolicy, pointerTo("PodFailurePolicy"));
  at.child("backoffLimitPerIndex").immutable(spec.backoffLimitPerIndex, before.backoffLimitPerIndex);
  at.child("managedBy").immutable(spec.managedBy, before.managedBy, shownPointer);
  at.child("successPolicy").immutable(spec.successPolicy, before.successPolicy, pointerTo("SuccessPolicy"));
}

function pointerTo(type: string): (value: unknown) => unknown {
  return (value) => (value === undefined ? null : shownAs(`batch.${type}`, value));
}

function completions(spec: JobSpec, before: JobSpec, at: ValidatedField): void {
  if (spec.completionMode !== "Indexed") {
    at.immutable(spec.completions, before.completions);
    return;
  }
  const isSame = spec.completions === before.completions;
  if (isSame || spec.completions === undefined || spec.completions === spec.parallelism) return;
  at.invalid(spec.completions, "can only be modified in tandem with spec.parallelism");
}

/** A job that does not run may be scheduled otherwise and get other resources. */
function templateUpdate(spec: JobSpec, old: Job, at: ValidatedField): void {
  const before = old.spec?.template ?? {};
  const now = spec.template ?? {};
  const isSuspended = old.spec?.suspend === true;
  const hasCondition = (old.status?.conditions ?? []).some(
    (condition) => condition.type === "Suspended" && condition.status === "True",
  );
  const hasStopped = old.status?.startTime == null || hasCondition;
  const isMutable = isSuspended && hasStopped && !old.status?.active;
  const allowed = isMutable ? withSchedulingOf(before, now) : before;
  if (!isMutable) {
    at.child("template").immutable(now, allowed, (value) => shownAs("core.PodTemplateSpec", value));
    return;
  }
  if (at.by.before(36)) {
    at.child("template").immutable(now, allowed, (value) => shownAs("core.PodTemplateSpec", value));
    return;
  }
  const resized = withResourcesOf(allowed.spec ?? {}, now.spec ?? {});
  at.child("template.spec").immutable(now.spec ?? {}, resized, (value) => shownAs("core.PodSpec", value));
}

function withSchedulingOf(template: PodTemplateSpec, other: PodTemplateSpec): PodTemplateSpec {
  let spec = template.spec ?? {};
  for (const field of ["nodeSelector", "tolerations", "schedulingGates"] as const) {
    spec = withField(spec, [field], other.spec?.[field]);
  }
  spec = withField(spec, ["affinity", "nodeAffinity"], other.spec?.affinity?.nodeAffinity);
  const isEmpty = Object.keys(spec.affinity ?? {}).length === 0;
  if (isEmpty) spec = withField(spec, ["affinity"], other.spec?.affinity === undefined ? undefined : {});
  const labelled = withField(template, ["metadata", "annotations"], other.metadata?.annotations);
  return { ...withField(labelled, ["metadata", "labels"], other.metadata?.labels), spec };
}

function withResourcesOf(spec: PodSpec, other: PodSpec): PodSpec {
  let result = spec;
  for (const list of ["containers", "initContainers"] as const) {
    const [own, others] = [spec[list] ?? [], other[list] ?? []];
    if (own.length !== others.length || own.length === 0) continue;
    const resized = own.map((container, i) =>
      container.name === others[i]!.name ? withField(container, ["resources"], others[i]!.resources) : container,
    );
    if (!semanticEqual(resized, own)) result = withField(result, [list], resized);
  }
  return result;
}

const MANY_COMPLETIONS = 100_000;
const HIGH_PARALLELISM = 10_000;

export function jobSpecWarnings(by: Emulation, spec: JobSpec, at: FieldPath): Warning[] {
  const warnings: Warning[] = [];
  const { completionMode, completions: count = 0, parallelism = 0 } = spec;
  if (completionMode === "Indexed" && count > MANY_COMPLETIONS && parallelism > HIGH_PARALLELISM) {
    warnings.push(
      fieldWarning(
        at,
        "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail",
      ),
    );
  }
  const { template } = spec;
  return [...warnings, ...podWarnings(by, template?.spec ?? {}, template?.metadata, at.child("template"))];
}
