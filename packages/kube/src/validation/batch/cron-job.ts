// CronJobs.

import { utf8Length } from "@celadon/base";
import type { CronJob, CronJobSpec, JobTemplateSpec } from "../../api/generated/batch-v1.ts";
import type { Emulation } from "../../emulation.ts";
import { JsonShown } from "../../field-error.ts";
import { fieldPath } from "../../field-path.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import type { Warning } from "../../warning.ts";
import { isTimeZone, scheduleProblem } from "../checks/cron.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { templateWithoutDisabled } from "../core/pod/prepare.ts";
import { isNewGeneration, nameWarnings, shownSelector } from "../core/workload.ts";
import type { ValidatedField } from "../field.ts";
import { withField } from "../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { jobSpecWarnings } from "./job.ts";
import { jobSpec } from "./job-spec.ts";

const TEMPLATE = ["spec", "jobTemplate", "spec", "template"];
/** A job's name is the CronJob's and eleven characters more. */
const MAX_NAME = 52;
const SPEC_OF_JOB = fieldPath("spec", "jobTemplate", "spec");

export const cronJob: AnyKindRules = kindRules<CronJob>({
  kind: { group: "batch", kind: "CronJob" },
  resource: "cronjobs",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  prepareCreate: (object, request) => prepare(object, request.by),
  prepareUpdate: (object, _old, request) => prepare(object, request.by),
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    cronJobSpec(object.spec ?? {}, undefined, at.child("spec"));
    const name = object.metadata?.name ?? "";
    if (utf8Length(name) > MAX_NAME) {
      at.child("metadata", "name").invalid(name, `must be no more than ${MAX_NAME} characters`);
    }
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    cronJobSpec(object.spec ?? {}, old.spec ?? {}, at.child("spec"));
  },
  warnOnCreate: (object, by) => [
    ...nameWarnings(object.metadata),
    ...jobSpecWarnings(by, object.spec?.jobTemplate?.spec ?? {}, SPEC_OF_JOB),
  ],
  warnOnUpdate: (object, old, by) => [
    ...(isNewGeneration(object, old) ? jobSpecWarnings(by, object.spec?.jobTemplate?.spec ?? {}, SPEC_OF_JOB) : []),
    ...(object.spec?.schedule?.includes("TZ") ? [ZONE_IN_SCHEDULE] : []),
  ],
  subresources: { status: { keeps: [SPEC] } },
});

const ZONE_IN_SCHEDULE: Warning = {
  text: "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
  path: fieldPath("spec", "schedule"),
};

function prepare(object: CronJob, by: Emulation): CronJob {
  return withField(object, TEMPLATE, templateWithoutDisabled(object.spec?.jobTemplate?.spec?.template, by));
}

function cronJobSpec(spec: CronJobSpec, old: CronJobSpec | undefined, at: ValidatedField): void {
  if (spec.schedule) schedule(spec.schedule, spec.timeZone, old?.schedule, at.child("schedule"));
  else at.child("schedule").required();
  at.child("startingDeadlineSeconds").notNegative(spec.startingDeadlineSeconds);
  if (old === undefined || old.timeZone !== spec.timeZone) timeZone(spec.timeZone, at.child("timeZone"));
  at.child("concurrencyPolicy").mustBeOneOf(spec.concurrencyPolicy, ["Allow", "Forbid", "Replace"]);
  jobTemplate(spec.jobTemplate ?? {}, at.child("jobTemplate", "spec"));
  at.child("successfulJobsHistoryLimit").notNegative(spec.successfulJobsHistoryLimit);
  at.child("failedJobsHistoryLimit").notNegative(spec.failedJobsHistoryLimit);
}

function schedule(text: string, zone: string | undefined, old: string | undefined, at: ValidatedField): void {
  const problem = scheduleProblem(text);
  if (problem !== undefined) at.invalid(text, problem);
  if (!text.includes("TZ")) return;
  if (!old?.includes("TZ")) at.invalid(text, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  else if (zone !== undefined) at.invalid(text, "cannot use both timeZone field and TZ or CRON_TZ in schedule");
}

function timeZone(zone: string | undefined, at: ValidatedField): void {
  if (zone === undefined) return;
  const shown = new JsonShown(zone);
  if (zone === "") {
    at.invalid(shown, "timeZone must be nil or non-empty string");
    return;
  }
  const isName = (part: string): boolean => /^[A-Za-z.\-_0-9+]{1,14}$/.test(part) && !/^(\.\.?$|-)/.test(part);
  if (!zone.split("/").every(isName)) {
    at.invalid(shown, `unknown time zone ${zone}`);
    return;
  }
  if (zone.toLowerCase() === "local") {
    at.invalid(shown, "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  if (!isTimeZone(zone)) at.invalid(shown, `unknown time zone ${zone}`);
}

function jobTemplate(template: JobTemplateSpec, at: ValidatedField): void {
  const spec = template.spec ?? {};
  jobSpec(spec, at);
  if (spec.selector !== undefined) {
    at.child("selector").invalid(shownSelector(spec.selector), "`selector` will be auto-generated");
  }
  if (spec.manualSelector === true) at.child("manualSelector").unsupported(true, ["nil", "false"]);
}
