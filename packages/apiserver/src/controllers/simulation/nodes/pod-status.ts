// The status that a kubelet reports for a pod, without containers behind it. Upstream: kubernetes pkg/kubelet/status/generate.go.

import type { Container, ContainerStatus, Node, Pod, PodCondition, PodStatus } from "@celadon/kube/api/core-v1";
import { conditionOf, withCondition } from "../frame/conditions.ts";
import { metaOf, timeOf } from "../frame/stand-in.ts";
import type { PodPlan } from "./pod-plan.ts";

export interface Moment {
  readonly node: Node;
  readonly address: string;
  readonly now: number;
  readonly time: string;
}

/** A status, and the milliseconds until it changes by itself. */
export interface Reported {
  readonly status: PodStatus;
  readonly nextMs: number | undefined;
}

/** As kubelets wait before they start a container again. */
const FIRST_BACKOFF_MS = 10_000;
const MOST_BACKOFF_MS = 300_000;

/** The status of a pod that is on a node and not deleted. */
export function running(pod: Pod, plan: PodPlan, moment: Moment): Reported {
  const { spec, status } = pod;
  const { now, time, node } = moment;
  const startTime = status?.startTime ?? time;
  const [main] = status?.containerStatuses ?? [];
  const startedAt = main?.state?.running?.startedAt ?? time;
  const sinceStart = now - timeOf(startedAt);
  const deadline = timeOf(startTime) + (spec?.activeDeadlineSeconds ?? Number.POSITIVE_INFINITY) * 1000;
  if (now >= deadline) {
    const message = "Pod was active on the node longer than the specified deadline";
    return {
      status: { ...ended(pod, { code: 137, time }), phase: "Failed", reason: "DeadlineExceeded", message },
      nextMs: undefined,
    };
  }
  const waiting = main?.state?.waiting !== undefined && main.lastState?.terminated !== undefined;
  const backoff = waiting
    ? timeOf(main.lastState?.terminated?.finishedAt) + backoffMs(main.restartCount ?? 0) - now
    : 0;
  // A pod runs before it ends, so that its controllers see it run.
  const isRunning = status?.phase === "Running";
  if (isRunning && !waiting && sinceStart >= plan.exitAfterMs) {
    if (!isRestarted(pod, plan.exitCode))
      return { status: ended(pod, { code: plan.exitCode, time }), nextMs: undefined };
    const restarts = (main?.restartCount ?? 0) + 1;
    return {
      status: statusOf(pod, moment, crashed(pod, plan.exitCode, startedAt, time, restarts), startTime, false),
      nextMs: backoffMs(restarts),
    };
  }
  if (backoff > 0) return { status: status!, nextMs: backoff };
  const since = isRunning && !waiting ? startedAt : time;
  const isReady = plan.readyAfterMs <= 0 || now - timeOf(since) >= plan.readyAfterMs;
  const containers = statusesOf(
    spec?.containers,
    main?.restartCount ?? 0,
    isReady,
    { running: { startedAt: since } },
    main?.lastState,
  );
  const remaining = [
    isReady ? Number.POSITIVE_INFINITY : timeOf(since) + plan.readyAfterMs - now,
    timeOf(since) + plan.exitAfterMs - now,
    deadline - now,
  ];
  const next = Math.min(...remaining);
  return {
    status: statusOf(pod, { ...moment, node }, containers, startTime, isReady),
    nextMs: Number.isFinite(next) ? Math.max(next, 1) : undefined,
  };
}

/** The status of a pod whose containers have ended. */
export function ended({ metadata, spec, status }: Pod, { code, time }: { code: number; time: string }): PodStatus {
  const startedAt = (name: string | undefined): string =>
    status?.containerStatuses?.find((known) => known.name === name)?.state?.running?.startedAt ?? time;
  const restarts = status?.containerStatuses?.[0]?.restartCount ?? 0;
  const containerStatuses = (spec?.containers ?? []).map((container) => ({
    ...statusOfContainer(container, restarts, false),
    started: false,
    state: {
      terminated: {
        exitCode: code,
        reason: code === 0 ? "Completed" : "Error",
        startedAt: startedAt(container.name),
        finishedAt: time,
      },
    },
  }));
  const reason = code === 0 ? "PodCompleted" : "PodFailed";
  let conditions = status?.conditions ?? [];
  for (const type of ["Ready", "ContainersReady"])
    conditions = withCondition(conditions, { type, status: "False", reason }, time);
  return {
    ...status,
    phase: code === 0 ? "Succeeded" : "Failed",
    conditions,
    containerStatuses,
    ...(metadata?.generation !== undefined && { observedGeneration: metadata.generation }),
  };
}

const isRestarted = ({ spec }: Pod, code: number): boolean =>
  spec?.restartPolicy === "Always" || (spec?.restartPolicy === "OnFailure" && code !== 0);

const backoffMs = (restarts: number): number =>
  restarts <= 1 ? FIRST_BACKOFF_MS : Math.min(MOST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (restarts - 1));

function crashed(
  { spec }: Pod,
  code: number,
  startedAt: string,
  time: string,
  restarts: number,
): readonly ContainerStatus[] {
  const terminated = { exitCode: code, reason: code === 0 ? "Completed" : "Error", startedAt, finishedAt: time };
  const message = "back-off restarting failed container";
  return statusesOf(
    spec?.containers,
    restarts,
    false,
    { waiting: { reason: "CrashLoopBackOff", message } },
    { terminated },
  );
}

function statusOf(
  pod: Pod,
  { node, address, time }: Moment,
  containerStatuses: readonly ContainerStatus[],
  startTime: string,
  isReady: boolean,
): PodStatus {
  const { spec, status } = pod;
  const hostIP = node.status?.addresses?.find(({ type }) => type === "InternalIP")?.address;
  const podIP = spec?.hostNetwork === true ? (hostIP ?? address) : address;
  const completed = { terminated: { exitCode: 0, reason: "Completed", startedAt: startTime, finishedAt: startTime } };
  const initContainerStatuses = (spec?.initContainers ?? []).map((container) =>
    container.restartPolicy === "Always"
      ? { ...statusOfContainer(container, 0, true), state: { running: { startedAt: startTime } } }
      : { ...statusOfContainer(container, 0, true), started: false, state: completed },
  );
  const ephemeral = (spec?.ephemeralContainers ?? []).map((container) => ({
    ...statusOfContainer(container as Container, 0, false),
    state: { running: { startedAt: startTime } },
  }));
  const hasGates = (spec?.readinessGates ?? []).every(
    ({ conditionType }) => conditionOf(status?.conditions, conditionType ?? "")?.status === "True",
  );
  const unready = {
    reason: "ContainersNotReady",
    message: `containers with unready status: [${(spec?.containers ?? []).map(({ name }) => name).join(" ")}]`,
  };
  const gated = {
    reason: "ReadinessGatesNotReady",
    message: "corresponding condition of pod readiness gate does not exist",
  };
  const wanted: readonly [type: string, is: boolean, why: object][] = [
    ["PodReadyToStartContainers", true, {}],
    ["Initialized", true, {}],
    ["Ready", isReady && hasGates, isReady ? gated : unready],
    ["ContainersReady", isReady, unready],
    ["PodScheduled", true, {}],
  ];
  const generation = metaOf(pod).generation;
  let conditions: readonly PodCondition[] = status?.conditions ?? [];
  for (const [type, is, why] of wanted) {
    const known = conditionOf(conditions, type);
    const { reason: _, message: __, ...rest } = known ?? {};
    const others = conditions.map((condition) => (condition === known ? (rest as PodCondition) : condition));
    conditions = withCondition(
      others,
      {
        type,
        status: is ? "True" : "False",
        ...(!is && why),
        ...(generation !== undefined && { observedGeneration: generation }),
      },
      time,
    );
  }
  return {
    ...status,
    phase: "Running",
    conditions,
    ...(hostIP !== undefined && { hostIP, hostIPs: [{ ip: hostIP }] }),
    podIP,
    podIPs: [{ ip: podIP }],
    startTime,
    ...(initContainerStatuses.length > 0 && { initContainerStatuses }),
    containerStatuses,
    ...(ephemeral.length > 0 && { ephemeralContainerStatuses: ephemeral }),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

function statusesOf(
  containers: readonly Container[] | undefined | null,
  restarts: number,
  ready: boolean,
  state: ContainerStatus["state"],
  lastState: ContainerStatus["lastState"],
): readonly ContainerStatus[] {
  return (containers ?? []).map((container) => ({
    ...statusOfContainer(container, restarts, ready),
    started: state?.running !== undefined,
    state,
    ...(lastState !== undefined && { lastState }),
  }));
}

function statusOfContainer(
  { name, image, resources }: Container,
  restartCount: number,
  ready: boolean,
): ContainerStatus {
  return {
    name,
    image,
    imageID: "",
    containerID: `simulated://${name}`,
    restartCount,
    ready,
    started: true,
    ...(resources?.requests && { allocatedResources: resources.requests, resources }),
  };
}
