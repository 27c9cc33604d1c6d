// The status of a job: conditions that exclude each other, counters that only grow, times in order. Most rules hold only for changed
// fields.

import { semanticEqual } from "@celadon/base";
import type { Job, JobStatus } from "../../api/generated/batch-v1.ts";
import { JsonShown, OMIT_VALUE } from "../../field-error.ts";
import { isInvalid } from "../../invalid.ts";
import { metadataUpdate } from "../checks/metadata.ts";
import type { ValidatedField } from "../field.ts";
import { shownAs } from "../show/internal.ts";
import { countIndexes, sharedIndex } from "./indexes.ts";

type Has = (condition: string) => boolean;

export function jobStatusUpdate(job: Job, old: Job, at: ValidatedField): void {
  const status = job.status ?? {};
  metadataUpdate(job.metadata, old.metadata, at.child("metadata"));
  const change = changeOf(job, old);
  const place = at.child("status");
  counts(status, place);
  conditions(status, change, place);
  finished(job, change, place);
  indexes(job, change, place);
  runningPods(status, change, place);
  successCriteria(job, change, place.child("conditions"));
  transitions(job, old, change, place);
  const conditionsPlace = place.child("conditions");
  if (change.had("SuccessCriteriaMet") && !change.has("SuccessCriteriaMet")) {
    conditionsPlace.invalid(OMIT_VALUE, "cannot disable the SuccessCriteriaMet=True condition");
  }
  if (change.had("Complete") && !change.had("SuccessCriteriaMet") && change.has("SuccessCriteriaMet")) {
    const detail = "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions";
    conditionsPlace.invalid(OMIT_VALUE, detail);
  }
}

interface Change {
  readonly has: Has;
  readonly had: Has;
  /** Whether one of these conditions or fields of the status changed. */
  readonly of: (...names: readonly string[]) => boolean;
  readonly isFinished: boolean;
  readonly finishedChanged: boolean;
}

function changeOf(job: Job, old: Job): Change {
  const status = (job.status ?? {}) as Readonly<Record<string, unknown>>;
  const before = (old.status ?? {}) as Readonly<Record<string, unknown>>;
  const has = conditionsOf(job);
  const had = conditionsOf(old);
  const isFinished = has("Complete") || has("Failed");
  const changed = (name: string): boolean =>
    /^[A-Z]/.test(name) ? has(name) !== had(name) : !semanticEqual(status[name], before[name]);
  return {
    has,
    had,
    of: (...names) => names.some(changed),
    isFinished,
    finishedChanged: isFinished !== (had("Complete") || had("Failed")),
  };
}

function conditionsOf(job: Job, status = "True"): Has {
  return (type) =>
    (job.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === status);
}

function counts(status: JobStatus, at: ValidatedField): void {
  for (const field of ["active", "succeeded", "failed", "ready", "terminating"] as const) {
    at.child(field).notNegative(status[field]);
  }
  const seen = new Set<string>();
  for (const list of ["succeeded", "failed"] as const) {
    at.child("uncountedTerminatedPods", list).each(status.uncountedTerminatedPods?.[list], (uid, each) => {
      if (uid === "") each.invalid(new JsonShown(uid), "must not be empty");
      else if (seen.has(uid)) each.duplicate(new JsonShown(uid));
      else seen.add(uid);
    });
  }
}

function conditions(status: JobStatus, change: Change, at: ValidatedField): void {
  const { has, of } = change;
  const place = at.child("conditions");
  const time = at.child("completionTime");
  const shown = new JsonShown(status.completionTime ?? null);
  if (of("Complete", "Failed") && has("Complete") && has("Failed")) {
    place.invalid(OMIT_VALUE, "cannot set Complete=True and Failed=true conditions");
  }
  if (of("Complete", "FailureTarget") && has("Complete") && has("FailureTarget")) {
    place.invalid(OMIT_VALUE, "cannot set Complete=True and FailureTarget=true conditions");
  }
  if (of("Complete", "completionTime")) {
    // The zero time is a time, which is written as null.
    if (status.completionTime !== undefined && !has("Complete")) {
      time.invalid(shown, "cannot set completionTime when there is no Complete=True condition");
    }
    if (status.completionTime === undefined && has("Complete"))
      time.required("completionTime is required for Complete jobs");
  }
  if (of("startTime", "completionTime") && isBefore(status.completionTime, status.startTime)) {
    time.invalid(shown, "must be equal to or after `startTime`");
  }
  if (of("Failed", "failedIndexes") && has("Failed") && !has("FailureTarget")) {
    place.invalid(OMIT_VALUE, "cannot set Failed=True condition without the FailureTarget=true condition");
  }
  if (of("Complete", "SuccessCriteriaMet") && has("Complete") && !has("SuccessCriteriaMet")) {
    place.invalid(OMIT_VALUE, "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
  }
}

function isBefore(time: string | null | undefined, other: string | null | undefined): boolean {
  return time != null && other != null && Date.parse(time) < Date.parse(other);
}

function finished(job: Job, change: Change, at: ValidatedField): void {
  const status = job.status ?? {};
  if (!change.isFinished) return;
  const { finishedChanged, of } = change;
  if ((finishedChanged || of("active")) && (status.active ?? 0) > 0) {
    at.child("active").invalid(status.active, "active>0 is invalid for finished job");
  }
  const neverStarted = job.spec?.suspend === true && job.spec.completions === 0;
  if ((finishedChanged || of("startTime")) && !neverStarted && status.startTime == null) {
    at.child("startTime").required("startTime is required for finished job");
  }
  const pods = status.uncountedTerminatedPods;
  const uncounted = (pods?.failed?.length ?? 0) + (pods?.succeeded?.length ?? 0);
  if ((finishedChanged || of("uncountedTerminatedPods")) && uncounted > 0) {
    const shown = shownAs("batch.UncountedTerminatedPods", pods);
    at.child("uncountedTerminatedPods").invalid(shown, "must be empty for finished job");
  }
}

function indexes(job: Job, change: Change, at: ValidatedField): void {
  const { completedIndexes: completed = "", failedIndexes: failed } = job.status ?? {};
  const { completions, backoffLimitPerIndex, completionMode } = job.spec ?? {};
  const completedChanged = change.of("completedIndexes");
  const failedChanged = change.of("failedIndexes");
  const check = (text: string, field: string): void => {
    const counted = countIndexes(text, completions!);
    if (isInvalid(counted)) at.child(field).invalid(text, `error parsing ${field}: ${counted.message}`);
  };
  if (completedChanged && completions !== undefined) check(completed, "completedIndexes");
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined && failed !== undefined) {
    check(failed, "failedIndexes");
  }
  if (completedChanged && completed !== "" && completionMode !== "Indexed") {
    const detail = "cannot set non-empty completedIndexes when non-indexed completion mode";
    at.child("completedIndexes").invalid(completed, detail);
  }
  if (failedChanged && backoffLimitPerIndex === undefined && failed !== undefined) {
    const detail = "cannot set non-null failedIndexes when backoffLimitPerIndex is null";
    at.child("failedIndexes").invalid(failed, detail);
  }
  if ((failedChanged || completedChanged) && completions !== undefined && failed && completed !== "") {
    const shared = sharedIndex(completed, failed, completions);
    if (shared !== undefined) {
      at.child("failedIndexes").invalid(failed, `failedIndexes and completedIndexes overlap at index: ${shared}`);
    }
  }
}

function runningPods(status: JobStatus, change: Change, at: ValidatedField): void {
  const { terminating, ready, active = 0 } = status;
  if ((change.finishedChanged || change.of("terminating")) && (terminating ?? 0) > 0 && change.isFinished) {
    at.child("terminating").invalid(terminating, "terminating>0 is invalid for finished job");
  }
  if (change.of("ready", "active") && ready !== undefined && ready > active) {
    at.child("ready").invalid(ready, "cannot set more ready pods than active");
  }
}

function successCriteria(job: Job, { has }: Change, at: ValidatedField): void {
  if (has("SuccessCriteriaMet") && has("Failed")) {
    at.invalid(OMIT_VALUE, "cannot set SuccessCriteriaMet=True and Failed=true conditions");
  }
  if (has("SuccessCriteriaMet") && has("FailureTarget")) {
    at.invalid(OMIT_VALUE, "cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
  }
  if (job.spec?.successPolicy && !has("SuccessCriteriaMet") && has("Complete")) {
    at.invalid(OMIT_VALUE, "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
  }
}

function transitions(job: Job, old: Job, change: Change, at: ValidatedField): void {
  const [status, before] = [job.status ?? {}, old.status ?? {}];
  const { completionMode, completions, parallelism, suspend } = job.spec ?? {};
  for (const type of ["Failed", "Complete", "FailureTarget"]) {
    if (change.had(type) && !change.has(type)) {
      at.child("conditions").invalid(OMIT_VALUE, `cannot disable the terminal ${type}=True condition`);
    }
  }
  if ((status.failed ?? 0) < (before.failed ?? 0)) {
    at.child("failed").invalid(status.failed ?? 0, "cannot decrease the failed counter");
  }
  // An indexed job that is scaled down forgets indexes.
  const isElastic = completionMode === "Indexed" && completions === parallelism;
  if (!isElastic && (status.succeeded ?? 0) < (before.succeeded ?? 0)) {
    at.child("succeeded").invalid(status.succeeded ?? 0, "cannot decrease the succeeded counter");
  }
  if (status.completionTime != null && before.completionTime != null && change.of("completionTime")) {
    at.child("completionTime").invalid(new JsonShown(status.completionTime), "field is immutable");
  }
  const resuming = change.had("Suspended") && conditionsOf(job, "False")("Suspended");
  if (before.startTime != null && change.of("startTime") && !resuming && suspend !== true) {
    const shown = new JsonShown(status.startTime ?? null);
    at.child("startTime").invalid(shown, "field is immutable for unsuspended job once set");
  }
}
