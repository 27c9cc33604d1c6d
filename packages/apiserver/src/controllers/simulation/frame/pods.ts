// Questions that controllers ask about pods. Upstream: kubernetes pkg/api/v1/pod, pkg/controller/controller_utils.go.

import type { Pod, PodTemplateSpec } from "@celadon/kube/api/core-v1";
import type { OwnerReference } from "@celadon/kube/api/meta-v1";
import { isDeleted, metaOf, timeOf } from "./stand-in.ts";

export const isFinished = ({ status }: Pod): boolean => status?.phase === "Succeeded" || status?.phase === "Failed";

export const isActive = (pod: Pod): boolean => !isFinished(pod) && !isDeleted(pod);

export function isReady({ status }: Pod): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}

/** Milliseconds until a pod has been ready long enough: 0 if it has, infinite if it is not ready. */
export function untilAvailable(pod: Pod, minReadySeconds: number | undefined, now: number): number {
  if (!isReady(pod)) return Number.POSITIVE_INFINITY;
  if (!minReadySeconds) return 0;
  const since = timeOf(pod.status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime);
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

export const isAvailable = (pod: Pod, minReadySeconds: number | undefined, now: number): boolean =>
  untilAvailable(pod, minReadySeconds, now) === 0;

/** The pod of a template. */
export function podOf(template: PodTemplateSpec | undefined, owner: OwnerReference): Pod & { metadata: object } {
  const { labels, annotations, finalizers } = template?.metadata ?? {};
  // A name made of a prefix of the longest length would be too long.
  const prefix = `${owner.name}-`;
  return {
    metadata: {
      generateName: prefix,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [owner],
    },
    spec: template?.spec,
  };
}

const PHASES = ["Unknown", "Pending", "Running"];
const COST = "controller.kubernetes.io/pod-deletion-cost";

/** Pods in the order in which they are deleted: those that do least first. */
export function byDeletion(pods: readonly Pod[], now: number, perNode?: ReadonlyMap<string, number>): readonly Pod[] {
  const rank = (pod: Pod): readonly number[] => {
    const { spec, status } = pod;
    const ready = timeOf(status?.conditions?.find(({ type }) => type === "Ready")?.lastTransitionTime);
    const restarts = Math.max(0, ...(status?.containerStatuses ?? []).map(({ restartCount = 0 }) => restartCount));
    return [
      spec?.nodeName ? 1 : 0,
      status?.phase === "Pending" ? 0 : PHASES.indexOf(status?.phase ?? "") === 0 ? 1 : 2,
      isReady(pod) ? 1 : 0,
      costOf(pod),
      -(perNode?.get(spec?.nodeName ?? "") ?? 0),
      isReady(pod) ? magnitude(now - ready) : 0,
      -restarts,
      magnitude(now - timeOf(metaOf(pod).creationTimestamp)),
    ];
  };
  return pods
    .map((pod) => ({ pod, rank: rank(pod) }))
    .sort((a, b) => {
      const at = a.rank.findIndex((value, i) => value !== b.rank[i]);
      if (at !== -1) return a.rank[at]! - b.rank[at]!;
      return (metaOf(a.pod).uid ?? "") < (metaOf(b.pod).uid ?? "") ? -1 : 1;
    })
    .map(({ pod }) => pod);
}

function costOf(pod: Pod): number {
  const cost = Number(metaOf(pod).annotations?.[COST] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

/** Ages of the same order of magnitude count as the same, so that deletions spread over a workload's pods. */
function magnitude(age: number): number {
  return age > 0 ? Math.floor(Math.log2(age)) : -1;
}
