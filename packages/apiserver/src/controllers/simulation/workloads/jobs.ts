// Jobs: pods until enough have succeeded, or too many failed. Upstream: kubernetes pkg/controller/job, pkg/controller/ttlafterfinished.

import { semanticEqual } from "@celadon/base";
import type { Job, JobCondition, JobStatus } from "@celadon/kube/api/batch-v1";
import type { Pod } from "@celadon/kube/api/core-v1";
import { RequestRefused } from "../../controller.ts";
import { conditionOf, withCondition } from "../frame/conditions.ts";
import { claim } from "../frame/owned.ts";
import { byDeletion, isActive, isFinished, isReady, podOf } from "../frame/pods.ts";
import { controllerOf, isDeleted, matcher, metaOf, ownerReference, StandIn, timeOf } from "../frame/stand-in.ts";
import type { Actor, World } from "../frame/world.ts";
import { failureOf, INDEX, indexesText, indexOf, isIndexed, readIndexes, successOf } from "./job-policy.ts";

const TRACKING = "batch.kubernetes.io/job-tracking";
/** Between the failure of a pod and its replacement; doubled for every further failure. */
const FIRST_BACKOFF_MS = 10_000;
const MOST_BACKOFF_MS = 600_000;
const OWN = "kubernetes.io/job-controller";

/** The end of a Job: type, reason and message of its condition. */
type End = readonly [type: "Complete" | "Failed", reason: string, message: string];

/** The pods of a Job, counted. */
interface Tally {
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
  readonly doneIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** Pods that are finished and not yet counted in the status. */
  readonly uncounted: readonly Pod[];
  readonly end: End | undefined;
}

export class JobStandIn extends StandIn<"jobs.batch"> {
  readonly name = "job";

  readonly #cleaner: Actor;

  constructor(world: World) {
    super(world, "jobs.batch", world.controller("job-controller"));
    this.#cleaner = world.controller("ttl-after-finished-controller");
  }

  protected override followOthers(): void {
    this.followOwned("pods", "Job", ({ spec }, pod) => matcher(spec?.selector)(pod));
  }

  protected async look(job: Job): Promise<void> {
    const { namespace = "" } = metaOf(job);
    if ((job.spec?.managedBy ?? OWN) !== OWN) return;
    const owner = { apiVersion: "batch/v1", kind: "Job", object: job, matches: matcher(job.spec?.selector) };
    const pods = await claim(this.actor, "pods", owner, this.world.view("pods").in(namespace));
    if (endOf(job.status) !== undefined) return this.#afterEnd(job, pods);
    if (isDeleted(job)) return this.#release(pods);
    const startTime = job.status?.startTime ?? (job.spec?.suspend === true ? undefined : this.world.time());
    const tally = this.#tally(job, pods);
    const deadline = this.#deadline(job, startTime);
    const end = tally.end ?? deadline;
    if (end !== undefined) {
      const suspended = conditionOf(job.status?.conditions, "Suspended")?.status === "True";
      if (!suspended || tally.end !== undefined) for (const pod of tally.active) await this.actor.delete("pods", pod);
    } else if (job.spec?.suspend === true) {
      for (const pod of tally.active) await this.#delete(job, pod);
    } else await this.#fill(job, tally);
    await this.#report(job, startTime, end);
  }

  /** Counts pods; those in the status already are not counted again. */
  #tally(job: Job, pods: readonly Pod[]): Tally {
    const { spec, status } = job;
    const counted = pods.filter((pod) => isFinished(pod) && !isTracked(pod));
    const uncounted = pods.filter((pod) => isFinished(pod) && isTracked(pod));
    const doneIndexes = readIndexes(status?.completedIndexes);
    const failedIndexes = readIndexes(status?.failedIndexes);
    let succeeded = status?.succeeded ?? 0;
    let failed = status?.failed ?? 0;
    let end: End | undefined;
    const wanted = spec?.completions;
    for (const pod of uncounted) {
      const index = indexOf(pod);
      if (pod.status?.phase === "Succeeded") {
        if (!isIndexed(job)) succeeded++;
        else if (index !== undefined && index < (wanted ?? 0)) doneIndexes.add(index);
        continue;
      }
      const { action, message } = failureOf(job, pod);
      if (action === "Ignore") continue;
      failed++;
      if (action === "FailJob") end ??= ["Failed", "PodFailurePolicy", message];
      if (index === undefined || spec?.backoffLimitPerIndex == null) continue;
      const failures = [...counted, ...uncounted].filter(
        (other) =>
          indexOf(other) === index && other.status?.phase === "Failed" && failureOf(job, other).action === "Count",
      ).length;
      if (action === "FailIndex" || failures > spec.backoffLimitPerIndex) failedIndexes.add(index);
    }
    if (isIndexed(job)) succeeded = doneIndexes.size;
    const active = pods.filter(isActive);
    const tally = { pods, active, succeeded, failed, doneIndexes, failedIndexes, uncounted };
    return { ...tally, end: end ?? completion(job, tally) };
  }

  #deadline({ spec, metadata }: Job, startTime: string | undefined): End | undefined {
    const seconds = spec?.activeDeadlineSeconds;
    if (seconds == null || startTime === undefined || spec?.suspend === true) return undefined;
    const wait = timeOf(startTime) + seconds * 1000 - this.world.now;
    if (wait <= 0) return ["Failed", "DeadlineExceeded", "Job was active longer than specified deadline"];
    this.again({ metadata }, wait);
    return undefined;
  }

  /** As many pods as may run at once, and no more than are still needed. */
  async #fill(job: Job, tally: Tally): Promise<void> {
    const { spec } = job;
    const parallelism = spec?.parallelism ?? 1;
    // Pods that are being deleted are replaced when they have failed, if the Job says so.
    const waiting =
      spec?.podReplacementPolicy === "Failed" || spec?.podFailurePolicy != null
        ? tally.pods.filter((pod) => isDeleted(pod) && !isFinished(pod))
        : [];
    const here = tally.active.length + waiting.length;
    let wanted = parallelism;
    if (spec?.completions != null)
      wanted = Math.min(parallelism, spec.completions - tally.succeeded - tally.failedIndexes.size);
    else if (tally.succeeded > 0) wanted = tally.active.length;
    if (here > Math.max(wanted, 0)) {
      for (const pod of byDeletion(tally.active, this.world.now).slice(0, here - Math.max(wanted, 0)))
        await this.#delete(job, pod);
      return;
    }
    const wait = this.#backoff(tally);
    if (wait > 0 && here < wanted) return this.again(job, wait);
    const indexes = isIndexed(job) ? this.#freeIndexes(job, tally, [...tally.active, ...waiting]) : [];
    const count = isIndexed(job) ? Math.min(wanted - here, indexes.length) : wanted - here;
    for (let i = 0; i < count; i++) await this.#create(job, indexes[i]);
  }

  #freeIndexes(job: Job, tally: Tally, here: readonly Pod[]): readonly number[] {
    const taken = new Set([...here.map(indexOf), ...tally.doneIndexes, ...tally.failedIndexes]);
    return Array.from({ length: job.spec?.completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
  }

  /** Milliseconds until pods may be created again after failures in a row. */
  #backoff({ pods }: Tally): number {
    const ends = pods
      .filter(isFinished)
      .map((pod) => ({ failed: pod.status?.phase === "Failed", at: finishedAt(pod) }))
      .sort((a, b) => b.at - a.at);
    const success = ends.findIndex(({ failed }) => !failed);
    const failures = success === -1 ? ends.length : success;
    if (failures === 0) return 0;
    const pause = Math.min(MOST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 1));
    return ends[0]!.at + pause - this.world.now;
  }

  async #create(job: Job, index: number | undefined): Promise<void> {
    const { namespace = "", name } = metaOf(job);
    const pod = podOf(job.spec?.template, ownerReference("batch/v1", "Job", job));
    const finalizers = [...(metaOf(pod).finalizers ?? []), TRACKING];
    const body =
      index === undefined
        ? { ...pod, metadata: { ...metaOf(pod), finalizers } }
        : {
            metadata: {
              ...metaOf(pod),
              finalizers,
              generateName: `${name}-${index}-`,
              annotations: { ...metaOf(pod).annotations, [INDEX]: String(index) },
              labels: { ...metaOf(pod).labels, [INDEX]: String(index) },
            },
            spec: {
              ...pod.spec,
              hostname: pod.spec?.hostname ?? `${name}-${index}`,
              containers: withIndex(pod.spec?.containers, index),
            },
          };
    try {
      const made = await this.actor.create("pods", namespace, body);
      await this.#event(job, "Normal", "SuccessfulCreate", `Created pod: ${metaOf(made).name}`);
    } catch (error) {
      if (error instanceof RequestRefused && error.code !== 404)
        await this.#event(job, "Warning", "FailedCreate", `Error creating: ${error.message}`);
      throw error;
    }
  }

  async #delete(job: Job, pod: Pod): Promise<void> {
    if (await this.actor.delete("pods", pod))
      await this.#event(job, "Normal", "SuccessfulDelete", `Deleted pod: ${metaOf(pod).name}`);
  }

  #event(job: Job, type: "Normal" | "Warning", reason: string, text: string): Promise<void> {
    return this.actor.event({ ...job, kind: "Job", apiVersion: "batch/v1" }, type, reason, text);
  }

  /** The status is written before pods lose their finalizer, so that none is forgotten or counted twice. */
  async #report(given: Job, startTime: string | undefined, end: End | undefined): Promise<void> {
    const { namespace = "", name = "", uid } = metaOf(given);
    const job = this.world.view(this.kind).get(namespace, name);
    if (job === undefined || metaOf(job).uid !== uid) return;
    const pods = this.world
      .view("pods")
      .in(namespace)
      .filter((pod) => controllerOf(pod)?.uid === uid);
    const tally = this.#tally(job, pods);
    const time = this.world.time();
    const isOver = end !== undefined && pods.every((pod) => isFinished(pod));
    const status: JobStatus = {
      ...job.status,
      ...(startTime !== undefined && job.spec?.suspend !== true && { startTime }),
      active: tally.active.length,
      ready: tally.active.filter(isReady).length,
      terminating: pods.filter((pod) => isDeleted(pod) && !isFinished(pod)).length,
      succeeded: tally.succeeded,
      failed: tally.failed,
      ...(isIndexed(job) && { completedIndexes: indexesText(tally.doneIndexes) }),
      ...(job.spec?.backoffLimitPerIndex != null && { failedIndexes: indexesText(tally.failedIndexes) }),
      uncountedTerminatedPods: {},
      conditions: this.#conditions(job, end, isOver),
      ...(isOver && end[0] === "Complete" && { completionTime: time }),
    };
    if (!semanticEqual(status, { uncountedTerminatedPods: {}, conditions: [], ...job.status })) {
      if (!(await this.actor.update(this.kind, { ...job, status }, "status"))) return this.again(job, 10);
      if (isOver) {
        const isGood = end[0] === "Complete";
        await this.#event(
          job,
          isGood ? "Normal" : "Warning",
          isGood ? "Completed" : end[1],
          isGood ? "Job completed" : end[2],
        );
      }
    }
    await this.#release(tally.uncounted);
  }

  #conditions(job: Job, end: End | undefined, isOver: boolean): readonly JobCondition[] {
    const time = this.world.time();
    let conditions = job.status?.conditions ?? [];
    const put = (type: string, status: string, reason: string, message: string): void => {
      const known = conditionOf(conditions, type);
      if (known?.status === status) return;
      conditions = withCondition(conditions, { type, status, reason, message, lastProbeTime: time }, time);
    };
    if (end === undefined) {
      const isSuspended = job.spec?.suspend === true;
      if (isSuspended) put("Suspended", "True", "JobSuspended", "Job suspended");
      else if (conditionOf(conditions, "Suspended") !== undefined)
        put("Suspended", "False", "JobResumed", "Job resumed");
      return conditions;
    }
    const [type, reason, message] = end;
    put(type === "Complete" ? "SuccessCriteriaMet" : "FailureTarget", "True", reason, message);
    if (isOver) put(type, "True", reason, message);
    return conditions;
  }

  /** Pods that are counted may go. */
  async #release(pods: readonly Pod[]): Promise<void> {
    for (const pod of pods) {
      if (!isTracked(pod)) continue;
      await this.actor.patch("pods", pod, { metadata: { "$deleteFromPrimitiveList/finalizers": [TRACKING] } });
    }
  }

  async #afterEnd(job: Job, pods: readonly Pod[]): Promise<void> {
    await this.#release(pods);
    const seconds = job.spec?.ttlSecondsAfterFinished;
    if (seconds == null || isDeleted(job)) return;
    const wait = timeOf(endOf(job.status)?.lastTransitionTime) + seconds * 1000 - this.world.now;
    if (wait > 0) this.again(job, wait);
    else await this.#cleaner.delete(this.kind, job, { propagationPolicy: "Foreground" });
  }
}

const isTracked = (pod: Pod): boolean => metaOf(pod).finalizers?.includes(TRACKING) === true;

/** The condition of a Job that is over. */
const endOf = (status: JobStatus | undefined): JobCondition | undefined =>
  status?.conditions?.find(({ type, status: is }) => (type === "Complete" || type === "Failed") && is === "True");

/** The end of a Job by the number of its pods. */
function completion(job: Job, tally: Omit<Tally, "end">): End | undefined {
  const { spec } = job;
  const target =
    conditionOf(job.status?.conditions, "FailureTarget") ?? conditionOf(job.status?.conditions, "SuccessCriteriaMet");
  if (target?.status === "True")
    return [target.type === "FailureTarget" ? "Failed" : "Complete", target.reason ?? "", target.message ?? ""];
  const success = isIndexed(job) ? successOf(job, tally.doneIndexes) : undefined;
  if (success !== undefined) return ["Complete", "SuccessPolicy", success];
  const limit = spec?.backoffLimit ?? 6;
  const restarts = spec?.template?.spec?.restartPolicy === "OnFailure" ? restartsOf(tally.active) : 0;
  if (tally.failed > limit || (restarts > 0 && restarts >= limit && limit >= 0 && restarts > limit))
    return ["Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"];
  if (spec?.maxFailedIndexes != null && tally.failedIndexes.size > spec.maxFailedIndexes)
    return ["Failed", "MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes"];
  if (spec?.completions == null) {
    return tally.succeeded > 0 && tally.active.length === 0
      ? ["Complete", "CompletionsReached", "Reached expected number of succeeded pods"]
      : undefined;
  }
  if (tally.failedIndexes.size > 0 && tally.succeeded + tally.failedIndexes.size >= spec.completions)
    return ["Failed", "FailedIndexes", "Job has failed indexes"];
  return tally.succeeded >= spec.completions
    ? ["Complete", "CompletionsReached", "Reached expected number of succeeded pods"]
    : undefined;
}

const restartsOf = (pods: readonly Pod[]): number =>
  pods.reduce((sum, { status }) => sum + (status?.containerStatuses?.[0]?.restartCount ?? 0), 0);

function finishedAt({ metadata, status }: Pod): number {
  const ends = (status?.containerStatuses ?? []).map(({ state }) => timeOf(state?.terminated?.finishedAt));
  return Math.max(...ends.filter((time) => !Number.isNaN(time)), timeOf(metadata?.creationTimestamp));
}

const withIndex = (containers: NonNullable<Pod["spec"]>["containers"], index: number): typeof containers =>
  containers?.map((container) => ({
    ...container,
    env: [...(container.env ?? []), { name: "JOB_COMPLETION_INDEX", value: String(index) }],
  }));
