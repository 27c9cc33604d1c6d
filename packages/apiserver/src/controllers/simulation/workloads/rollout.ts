// The arithmetic of a Deployment's rollout. Upstream: kubernetes pkg/controller/deployment/util.

import type { Deployment, ReplicaSet } from "@celadon/kube/api/apps-v1";
import { metaOf } from "../frame/stand-in.ts";

const PREFIX = "deployment.kubernetes.io/";
export const REVISION: string = `${PREFIX}revision`;
const DESIRED = `${PREFIX}desired-replicas`;
const MOST = `${PREFIX}max-replicas`;
/** Annotations of a Deployment that its sets do not get. */
const OWN: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  REVISION,
  `${PREFIX}revision-history`,
  DESIRED,
  MOST,
  "deprecated.deployment.rollback.to",
]);

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec?.replicas ?? 1;

export const sumOf = (sets: readonly ReplicaSet[]): number => sets.reduce((sum, set) => sum + replicasOf(set), 0);

export const availableOf = (sets: readonly ReplicaSet[]): number =>
  sets.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);

export const isRolling = ({ spec }: Deployment): boolean => spec?.strategy?.type !== "Recreate";

/** A number, or a share of a total. */
export function shareOf(
  value: string | number | null | undefined,
  total: number,
  round: (n: number) => number,
): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value ?? "")?.[1];
  return percent === undefined ? 0 : round((Number(percent) * total) / 100);
}

/** The numbers of pods that may be too many, and that may be missing. */
export function tolerances(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const replicas = replicasOf(deployment);
  const { maxSurge, maxUnavailable } = deployment.spec?.strategy?.rollingUpdate ?? {};
  const surge = shareOf(maxSurge, replicas, Math.ceil);
  const unavailable = shareOf(maxUnavailable, replicas, Math.floor);
  // With neither, nothing could ever change.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : Math.min(unavailable, replicas) };
}

export const mostReplicas = (deployment: Deployment): number => replicasOf(deployment) + tolerances(deployment).surge;

export const revisionOf = (object: object): number => {
  const revision = Number(metaOf(object).annotations?.[REVISION] ?? 0);
  return Number.isInteger(revision) ? revision : 0;
};

/** The annotations of a set of a Deployment. */
export function annotationsFor(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
): Readonly<Record<string, string>> {
  const copied = Object.entries(metaOf(deployment).annotations ?? {}).filter(([key]) => !OWN.has(key));
  return {
    ...(metaOf(set).annotations as Readonly<Record<string, string>> | undefined),
    ...Object.fromEntries(copied),
    [REVISION]: String(revision),
    ...sizeAnnotations(deployment),
  };
}

export const sizeAnnotations = (deployment: Deployment): Readonly<Record<string, string>> => ({
  [DESIRED]: String(replicasOf(deployment)),
  [MOST]: String(mostReplicas(deployment)),
});

/** The size that a Deployment had when its set was last scaled; undefined when it says none. */
export function annotatedSize(set: ReplicaSet, which: "desired" | "most"): number | undefined {
  const text = metaOf(set).annotations?.[which === "desired" ? DESIRED : MOST];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** Every pod of the set that is asked for is there and available. */
export const isSaturated = (deployment: Deployment, set: ReplicaSet | undefined): boolean =>
  set !== undefined &&
  replicasOf(set) === replicasOf(deployment) &&
  annotatedSize(set, "desired") === replicasOf(deployment) &&
  (set.status?.availableReplicas ?? 0) === replicasOf(deployment);

/** The size of the new set when the old ones leave room for as many pods. */
export function newSize(deployment: Deployment, all: readonly ReplicaSet[], set: ReplicaSet): number {
  const [wanted, current] = [replicasOf(deployment), replicasOf(set)];
  if (!isRolling(deployment)) return wanted;
  if (current >= wanted) return wanted;
  const room = mostReplicas(deployment) - sumOf(all);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

/** The sizes to which old sets shrink in a rolling update: unhealthy pods first, then as many as are not needed. */
export function shrinkOld(
  deployment: Deployment,
  all: readonly ReplicaSet[],
  old: readonly ReplicaSet[],
  current: ReplicaSet,
): ReadonlyMap<ReplicaSet, number> {
  const sizes = new Map(old.map((set) => [set, replicasOf(set)]));
  const least = replicasOf(deployment) - tolerances(deployment).unavailable;
  const unavailable = replicasOf(current) - (current.status?.availableReplicas ?? 0);
  let room = sumOf(all) - least - unavailable;
  if (room <= 0) return sizes;
  const oldest = [...old].sort((a, b) => (createdAt(a) < createdAt(b) ? -1 : 1));
  for (const set of oldest) {
    const unhealthy = Math.min(room, sizes.get(set)! - (set.status?.availableReplicas ?? 0));
    if (unhealthy <= 0) continue;
    sizes.set(set, sizes.get(set)! - unhealthy);
    room -= unhealthy;
  }
  let spare = availableOf(all) - least;
  for (const set of oldest) {
    const less = Math.min(spare, sizes.get(set)!);
    if (less <= 0) continue;
    sizes.set(set, sizes.get(set)! - less);
    spare -= less;
  }
  return sizes;
}

const createdAt = (object: object): string => `${metaOf(object).creationTimestamp} ${metaOf(object).name}`;

/** Sizes after the Deployment was scaled in the middle of a rollout: every set keeps its share. */
export function proportions(deployment: Deployment, active: readonly ReplicaSet[]): ReadonlyMap<ReplicaSet, number> {
  const total = sumOf(active);
  const allowed = replicasOf(deployment) > 0 ? mostReplicas(deployment) : 0;
  let change = allowed - total;
  const bySize = [...active].sort(
    (a, b) => replicasOf(b) - replicasOf(a) || (createdAt(a) < createdAt(b) ? -1 : 1) * (change > 0 ? -1 : 1),
  );
  const sizes = new Map(bySize.map((set) => [set, replicasOf(set)]));
  const grows = change > 0;
  for (const set of bySize) {
    if (change === 0) break;
    const former = annotatedSize(set, "most") ?? allowed;
    const share = former === 0 ? 0 : Math.round((replicasOf(set) * allowed) / former) - replicasOf(set);
    const part = grows ? Math.min(Math.max(share, 0), change) : Math.max(Math.min(share, 0), change);
    sizes.set(set, replicasOf(set) + part);
    change -= part;
  }
  // Rounding leaves a rest, which the largest gets.
  const [largest] = bySize;
  if (largest !== undefined && change !== 0) sizes.set(largest, Math.max(0, sizes.get(largest)! + change));
  return sizes;
}
