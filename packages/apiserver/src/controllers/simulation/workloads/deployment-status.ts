// The status of a Deployment, and how its rollout goes on. Upstream: kubernetes pkg/controller/deployment/{sync,progress}.go.

import { semanticEqual } from "@celadon/base";
import type { Deployment, DeploymentCondition, DeploymentStatus, ReplicaSet } from "@celadon/kube/api/apps-v1";
import { conditionOf, withCondition, withoutCondition } from "../frame/conditions.ts";
import { metaOf, timeOf } from "../frame/stand-in.ts";
import { availableOf, replicasOf, tolerances } from "./rollout.ts";

const PROGRESSING = "Progressing";
const TIMED_OUT = "ProgressDeadlineExceeded";
const PAUSED = "DeploymentPaused";
const NEW_AVAILABLE = "NewReplicaSetAvailable";

export function deploymentStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  terminatingReplicas: number,
  time: string,
): DeploymentStatus {
  const all = [...(current === undefined ? [] : [current]), ...old];
  const replicas = all.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0);
  const wanted = all.reduce((sum, set) => sum + replicasOf(set), 0);
  const available = availableOf(all);
  const status: DeploymentStatus = {
    ...deployment.status,
    observedGeneration: metaOf(deployment).generation,
    replicas,
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: all.reduce((sum, set) => sum + (set.status?.readyReplicas ?? 0), 0),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wanted - available),
    terminatingReplicas,
  };
  return { ...status, conditions: conditionsOf(deployment, status, current, all, time) };
}

function conditionsOf(
  deployment: Deployment,
  status: DeploymentStatus,
  current: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  time: string,
): readonly DeploymentCondition[] {
  const isEnough = (status.availableReplicas ?? 0) >= replicasOf(deployment) - tolerances(deployment).unavailable;
  const available = isEnough
    ? ["True", "MinimumReplicasAvailable", "Deployment has minimum availability."]
    : ["False", "MinimumReplicasUnavailable", "Deployment does not have minimum availability."];
  let conditions = put(deployment.status?.conditions, ["Available", ...available], time);
  const progress = progressOf(deployment, status, current, time);
  if (progress !== undefined)
    conditions = put(conditions, [PROGRESSING, ...progress], time, hasProgressed(deployment.status, status));
  const failure = all
    .map((set) => conditionOf(set.status?.conditions, "ReplicaFailure"))
    .find((one) => one?.status === "True");
  if (failure === undefined) return withoutCondition(conditions, "ReplicaFailure");
  return put(conditions, ["ReplicaFailure", "True", failure.reason ?? "", failure.message ?? ""], time);
}

/** A condition whose time of update is that of its last progress. */
function put(
  conditions: readonly DeploymentCondition[] | undefined,
  [type = "", status, reason, message]: readonly string[],
  time: string,
  isNews = false,
): readonly DeploymentCondition[] {
  const before = conditions ?? [];
  const wanted = { type, status, reason, message };
  const isSame = before.some((known) =>
    semanticEqual(wanted, { type: known.type, status: known.status, reason: known.reason, message: known.message }),
  );
  return isSame && !isNews ? before : withCondition(before, { ...wanted, lastUpdateTime: time }, time);
}

/** Status, reason and message of progress; undefined when it stays as it is. */
function progressOf(
  deployment: Deployment,
  status: DeploymentStatus,
  current: ReplicaSet | undefined,
  time: string,
): readonly [status: string, reason: string, message: string] | undefined {
  const { spec, status: before } = deployment;
  if (!hasDeadline(deployment)) return undefined;
  const known = conditionOf(before?.conditions, PROGRESSING);
  if (spec?.paused === true) {
    return known?.reason === TIMED_OUT ? undefined : ["Unknown", PAUSED, "Deployment is paused"];
  }
  if (known?.reason === PAUSED) return ["Unknown", "DeploymentResumed", "Deployment is resumed"];
  const set =
    current === undefined ? `Deployment "${metaOf(deployment).name}"` : `ReplicaSet "${metaOf(current).name}"`;
  const wanted = replicasOf(deployment);
  const isDone = status.updatedReplicas === wanted && status.replicas === wanted && status.availableReplicas === wanted;
  const isObserved = before?.observedGeneration === metaOf(deployment).generation;
  // It stays done while pods fail and are replaced.
  if (known?.reason === NEW_AVAILABLE && isObserved && known.message?.includes(set)) return undefined;
  if (isDone) return ["True", NEW_AVAILABLE, `${set} has successfully progressed.`];
  if (known === undefined || known.reason === NEW_AVAILABLE || hasProgressed(before, status)) {
    return current !== undefined && !before?.updatedReplicas && !status.updatedReplicas
      ? ["True", "NewReplicaSetCreated", `Created new replica set "${metaOf(current).name}"`]
      : ["True", "ReplicaSetUpdated", `${set} is progressing.`];
  }
  const since = timeOf(known.lastUpdateTime) + (spec?.progressDeadlineSeconds ?? 0) * 1000;
  if (known.reason === TIMED_OUT || timeOf(time) <= since) return undefined;
  return ["False", TIMED_OUT, `${set} has timed out progressing.`];
}

function hasProgressed(before: DeploymentStatus | undefined, now: DeploymentStatus): boolean {
  const oldOnes = (status: DeploymentStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (now.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    oldOnes(now) < oldOnes(before) ||
    (now.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (now.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

/** The greatest int32 stands for none. */
const hasDeadline = ({ spec }: Deployment): boolean => (spec?.progressDeadlineSeconds ?? 2 ** 31 - 1) < 2 ** 31 - 1;

/** Milliseconds until a rollout that makes no progress has failed. */
export function untilDeadline(deployment: Deployment, now: number): number | undefined {
  const known = conditionOf(deployment.status?.conditions, PROGRESSING);
  if (!hasDeadline(deployment) || known === undefined || known.reason === NEW_AVAILABLE || known.reason === TIMED_OUT)
    return undefined;
  if (deployment.spec?.paused === true) return undefined;
  return Math.max(0, timeOf(known.lastUpdateTime) + (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000 - now);
}
