// The columns of pods: the states of their containers come together in one word.

import type { KubeObject } from "@celadon/kube";
import type { ContainerStateTerminated, ContainerStatus, Pod } from "@celadon/kube/api/core-v1";
import { AGE, ageOf, type Column, isCondition, NAME, NONE, wide } from "./cells.ts";

interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  readonly restartedAt: string;
}

const summaries = new WeakMap<KubeObject, Summary>();

function summaryOf(object: KubeObject): Summary {
  let summary = summaries.get(object);
  if (summary === undefined) summaries.set(object, (summary = summarize(object as Pod)));
  return summary;
}

function summarize(pod: Pod): Summary {
  const { spec = {}, status = {}, metadata } = pod;
  const initContainers = spec.initContainers ?? [];
  const sidecars = new Set(
    initContainers.filter((container) => container.restartPolicy === "Always").map(({ name }) => name),
  );
  const isGated = (status.conditions ?? []).some(
    ({ type, reason }) => type === "PodScheduled" && reason === "SchedulingGated",
  );
  const start = isGated ? "SchedulingGated" : status.reason || status.phase || "";
  const init = initState(status.initContainerStatuses ?? [], sidecars, initContainers.length);
  let state: Pick<Summary, "reason" | "ready" | "restarts" | "restartedAt"> = {
    ...init,
    reason: init.reason ?? start,
  };
  if (init.reason === undefined || isCondition(pod as KubeObject, "Initialized")) {
    const own = (status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
    state = mainState(pod, init.reason ?? start, init.ready, own);
  }
  const isOver = status.phase === "Succeeded" || status.phase === "Failed";
  const isDeleted = Boolean(metadata?.deletionTimestamp);
  const reason = !isDeleted
    ? state.reason
    : status.reason === "NodeLost"
      ? "Unknown"
      : isOver
        ? state.reason
        : "Terminating";
  return { ...state, reason, total: (spec.containers ?? []).length + sidecars.size };
}

/** The state of the init containers up to the first that is not done; without a reason when all are. */
function initState(
  statuses: readonly ContainerStatus[],
  sidecars: ReadonlySet<string | undefined>,
  count: number,
): { readonly reason?: string; readonly ready: number; readonly restarts: number; readonly restartedAt: string } {
  let ready = 0;
  let restarts = 0;
  let restartedAt = "";
  for (const [i, container] of statuses.entries()) {
    restarts += container.restartCount ?? 0;
    restartedAt = later(restartedAt, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated !== undefined && (terminated.exitCode ?? 0) === 0) continue;
    if (sidecars.has(container.name) && container.started) {
      if (container.ready) ready++;
      continue;
    }
    if (terminated !== undefined) return { reason: `Init:${endOf(terminated)}`, ready, restarts, restartedAt };
    const isWaiting = waiting?.reason && waiting.reason !== "PodInitializing";
    return { reason: isWaiting ? `Init:${waiting.reason}` : `Init:${i}/${count}`, ready, restarts, restartedAt };
  }
  return { ready, restarts, restartedAt };
}

function mainState(
  pod: Pod,
  start: string,
  readyBefore: number,
  sidecars: readonly ContainerStatus[],
): Pick<Summary, "reason" | "ready" | "restarts" | "restartedAt"> {
  let reason = start;
  let ready = readyBefore;
  let restarts = 0;
  let restartedAt = "";
  let isRunning = false;
  let failure = "";
  const own = [...(pod.status?.containerStatuses ?? [])].reverse();
  for (const container of [...sidecars, ...own]) {
    restarts += container.restartCount ?? 0;
    restartedAt = later(restartedAt, container);
  }
  for (const { state = {}, ready: isReady } of own) {
    const { terminated, waiting, running } = state;
    if (waiting?.reason) reason = waiting.reason;
    else if (terminated !== undefined) {
      reason = endOf(terminated);
      if (terminated.exitCode) failure = reason;
    } else if (isReady && running !== undefined) {
      isRunning = true;
      ready++;
    }
  }
  if (reason === "Completed") {
    if (isRunning && isCondition(pod as KubeObject, "Ready")) reason = "Running";
    else if (failure !== "") reason = failure;
    else if (isRunning) reason = "NotReady";
  }
  return { reason, ready, restarts, restartedAt };
}

function endOf({ reason, signal, exitCode = 0 }: ContainerStateTerminated): string {
  return reason || (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}

function later(time: string, { lastState }: ContainerStatus): string {
  const finished = (lastState?.terminated?.finishedAt as string | undefined) ?? "";
  return finished > time ? finished : time;
}

function gates({ spec, status }: Pod): string {
  const wanted = spec?.readinessGates ?? [];
  if (wanted.length === 0) return NONE;
  const met = wanted.filter(({ conditionType }) =>
    (status?.conditions ?? []).some(({ type, status: value }) => type === conditionType && value === "True"),
  );
  return `${met.length}/${wanted.length}`;
}

export const POD: readonly Column[] = [
  NAME,
  ["Ready", (object) => `${summaryOf(object).ready}/${summaryOf(object).total}`],
  ["Status", (object) => summaryOf(object).reason],
  [
    "Restarts",
    (object, now) => {
      const { restarts, restartedAt } = summaryOf(object);
      return restarts === 0 || restartedAt === "" ? `${restarts}` : `${restarts} (${ageOf(restartedAt, now)} ago)`;
    },
  ],
  AGE,
  wide("IP", (object) => (object as Pod).status?.podIPs?.[0]?.ip || NONE),
  wide("Node", (object) => (object as Pod).spec?.nodeName || NONE),
  wide("Nominated Node", (object) => (object as Pod).status?.nominatedNodeName || NONE),
  wide("Readiness Gates", (object) => gates(object as Pod)),
];
