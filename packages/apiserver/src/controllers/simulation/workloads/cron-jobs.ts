// CronJobs: a Job at every time of a schedule. Upstream: kubernetes pkg/controller/cronjob.

import { semanticEqual } from "@celadon/base";
import type { CronJob, Job } from "@celadon/kube/api/batch-v1";
import { timestamp } from "@celadon/write";
import { RequestRefused } from "../../controller.ts";
import { controllerOf, isDeleted, metaOf, ownerReference, StandIn, timeOf } from "../frame/stand-in.ts";
import type { World } from "../frame/world.ts";
import { parseSchedule, type Schedule } from "./cron.ts";

const JOBS = "jobs.batch";
const SCHEDULED = "batch.kubernetes.io/cronjob-scheduled-timestamp";
/** A schedule that missed more times than this without a deadline is reported; the last of them counts. */
const MANY_MISSED = 100;

const isOver = ({ status }: Job): "Complete" | "Failed" | undefined =>
  (status?.conditions?.find(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True")
    ?.type as "Complete" | "Failed" | undefined) ?? undefined;

export class CronJobStandIn extends StandIn<"cronjobs.batch"> {
  readonly name = "cronjob";

  constructor(world: World) {
    super(world, "cronjobs.batch", world.controller("cronjob-controller"));
  }

  protected override followOthers(): void {
    this.followOwned(JOBS, "CronJob", () => false);
  }

  protected async look(cron: CronJob): Promise<void> {
    const { namespace = "", uid } = metaOf(cron);
    const jobs = this.world
      .view(JOBS)
      .in(namespace)
      .filter((job) => controllerOf(job)?.uid === uid);
    await this.#trim(cron, jobs);
    const seen = await this.#active(cron, jobs);
    if (isDeleted(cron) || cron.spec?.suspend === true) return this.#report(cron, seen);
    const schedule = parseSchedule(cron.spec?.schedule ?? "", cron.spec?.timeZone);
    if (schedule === undefined) {
      await this.#event(cron, "Warning", "UnparseableSchedule", `unparseable schedule: "${cron.spec?.schedule}"`);
      return this.#report(cron, seen);
    }
    const next = schedule(this.world.now);
    if (next !== undefined) this.again(cron, next - this.world.now);
    const due = await this.#due(cron, schedule);
    if (due === undefined) return this.#report(cron, seen);
    return this.#start(cron, jobs, seen, due);
  }

  /** The latest time that has passed without a Job. */
  async #due(cron: CronJob, schedule: Schedule): Promise<number | undefined> {
    const { now } = this.world;
    const { startingDeadlineSeconds: deadline } = cron.spec ?? {};
    const from = timeOf(cron.status?.lastScheduleTime ?? metaOf(cron).creationTimestamp);
    const earliest = deadline == null ? from : Math.max(from, now - deadline * 1000);
    let due: number | undefined;
    let missed = 0;
    for (let at = schedule(earliest); at !== undefined && at <= now; at = schedule(at)) {
      due = at;
      if (++missed === MANY_MISSED) {
        await this.#event(
          cron,
          "Warning",
          "TooManyMissedTimes",
          `too many missed start times: ${MANY_MISSED}. Set or decrease .spec.startingDeadlineSeconds or check clock skew`,
        );
        at = Math.max(at, now - 2 * ((schedule(at) ?? at) - at));
      }
    }
    return due;
  }

  async #start(cron: CronJob, jobs: readonly Job[], seen: CronJob["status"], due: number): Promise<void> {
    const { namespace = "", name } = metaOf(cron);
    const jobName = `${name}-${Math.floor(due / 60_000)}`;
    if (
      seen?.active?.some((reference) => reference.name === jobName) ||
      jobs.some((job) => metaOf(job).name === jobName)
    )
      return this.#report(cron, { ...seen, lastScheduleTime: timestamp(due) });
    const running = jobs.filter((job) => isOver(job) === undefined);
    if (cron.spec?.concurrencyPolicy === "Forbid" && running.length > 0) {
      await this.#event(
        cron,
        "Normal",
        "JobAlreadyActive",
        "Not starting job because prior execution is running and concurrency policy is Forbid",
      );
      return this.#report(cron, seen);
    }
    let active = seen?.active ?? [];
    if (cron.spec?.concurrencyPolicy === "Replace") {
      for (const job of running) {
        await this.actor.delete(JOBS, job, { propagationPolicy: "Background" });
        await this.#event(cron, "Normal", "SuccessfulDelete", `Deleted job ${metaOf(job).name}`);
        active = active.filter(({ uid }) => uid !== metaOf(job).uid);
      }
    }
    const { metadata, spec } = cron.spec?.jobTemplate ?? {};
    const body = {
      metadata: {
        name: jobName,
        labels: metadata?.labels,
        annotations: { ...metadata?.annotations, [SCHEDULED]: timestamp(due) },
        ownerReferences: [ownerReference("batch/v1", "CronJob", cron)],
      },
      spec,
    };
    try {
      const job = await this.actor.create(JOBS, namespace, body);
      await this.#event(cron, "Normal", "SuccessfulCreate", `Created job ${jobName}`);
      const { uid, resourceVersion } = metaOf(job);
      active = [...active, { kind: "Job", namespace, name: jobName, uid, apiVersion: "batch/v1", resourceVersion }];
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      await this.#event(cron, "Warning", "FailedCreate", `Error creating job: ${error.message}`);
      throw error;
    }
    await this.#report(cron, { ...seen, active, lastScheduleTime: timestamp(due) });
  }

  /** The status with the Jobs that still run. */
  async #active(cron: CronJob, jobs: readonly Job[]): Promise<CronJob["status"]> {
    let { lastSuccessfulTime } = cron.status ?? {};
    const known = cron.status?.active ?? [];
    const active = [];
    for (const reference of known) {
      const job = jobs.find((one) => metaOf(one).uid === reference.uid);
      if (job === undefined) {
        await this.#event(cron, "Normal", "MissingJob", `Active job went missing: ${reference.name}`);
        continue;
      }
      const end = isOver(job);
      if (end === undefined) active.push(reference);
      else
        await this.#event(cron, "Normal", "SawCompletedJob", `Saw completed job: ${reference.name}, condition: ${end}`);
    }
    for (const job of jobs) {
      const time = isOver(job) === "Complete" ? job.status?.completionTime : undefined;
      if (time != null && !(timeOf(lastSuccessfulTime) >= timeOf(time))) lastSuccessfulTime = time;
    }
    const { active: _, ...rest } = cron.status ?? {};
    return {
      ...rest,
      ...(active.length > 0 && { active }),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    };
  }

  /** Finished Jobs beyond the history are deleted, the oldest first. */
  async #trim(cron: CronJob, jobs: readonly Job[]): Promise<void> {
    const { successfulJobsHistoryLimit: good, failedJobsHistoryLimit: bad } = cron.spec ?? {};
    for (const [end, limit] of [
      ["Complete", good],
      ["Failed", bad],
    ] as const) {
      const finished = jobs
        .filter((job) => isOver(job) === end && !isDeleted(job))
        .sort((a, b) => timeOf(a.status?.startTime) - timeOf(b.status?.startTime));
      if (limit == null) continue;
      for (const job of finished.slice(0, Math.max(0, finished.length - limit))) {
        await this.actor.delete(JOBS, job, { propagationPolicy: "Background" });
        await this.#event(cron, "Normal", "SuccessfulDelete", `Deleted job ${metaOf(job).name}`);
      }
    }
  }

  #event(cron: CronJob, type: "Normal" | "Warning", reason: string, text: string): Promise<void> {
    return this.actor.event({ ...cron, kind: "CronJob", apiVersion: "batch/v1" }, type, reason, text);
  }

  async #report(cron: CronJob, status: CronJob["status"]): Promise<void> {
    if (semanticEqual(status ?? {}, cron.status ?? {})) return;
    if (!(await this.actor.update(this.kind, { ...cron, status }, "status"))) this.again(cron, 10);
  }
}
