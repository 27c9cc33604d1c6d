// The claims of a pod before it has a place: they exist, and are bound, or wait for a node to be chosen. Upstream: kubernetes
// pkg/scheduler/framework/plugins/volumebinding.

import type { Node, PersistentVolumeClaim, Pod } from "@celadon/kube/api/core-v1";
import { isDeleted, metaOf } from "../frame/stand-in.ts";
import type { Actor, World } from "../frame/world.ts";
import { isSelected } from "./node-fit.ts";

export const SELECTED_NODE = "volume.kubernetes.io/selected-node";

function claimNames(pod: Pod): readonly string[] {
  return (pod.spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim != null) return [persistentVolumeClaim.claimName ?? ""];
    return ephemeral == null ? [] : [`${metaOf(pod).name}-${name}`];
  });
}

/** Whether a claim waits for the first pod that uses it. */
export function waitsForConsumer(world: World, { spec }: PersistentVolumeClaim): boolean {
  const { storageClassName } = spec ?? {};
  if (!storageClassName) return false;
  return (
    world.view("storageclasses.storage.k8s.io").get("", storageClassName)?.volumeBindingMode === "WaitForFirstConsumer"
  );
}

/** Why the claims of a pod do not let it go anywhere. */
export function volumeProblem(world: World, pod: Pod): string | undefined {
  const { resourceClaims } = pod.spec ?? {};
  if (resourceClaims?.length) return "devices of resource claims are not simulated";
  for (const name of claimNames(pod)) {
    const claim = world.view("persistentvolumeclaims").get(metaOf(pod).namespace ?? "", name);
    if (claim === undefined) return `persistentvolumeclaim "${name}" not found`;
    if (isDeleted(claim)) return `persistentvolumeclaim "${name}" is being deleted`;
    if (claim.status?.phase === "Lost")
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName}"`;
    if (claim.status?.phase !== "Bound" && !waitsForConsumer(world, claim))
      return "pod has unbound immediate PersistentVolumeClaims";
  }
  return undefined;
}

/** Whether the volumes of bound claims can be reached from a node. */
export function volumesFit(world: World, pod: Pod, node: Node): boolean {
  return claimNames(pod).every((name) => {
    const claim = world.view("persistentvolumeclaims").get(metaOf(pod).namespace ?? "", name);
    const required = world.view("persistentvolumes").get("", claim?.spec?.volumeName ?? "")?.spec
      ?.nodeAffinity?.required;
    if (required == null) return true;
    return isSelected(
      { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } } },
      node,
    );
  });
}

/** Tells claims that wait for it the chosen node; true when all are bound. */
export async function waitForVolumes(world: World, actor: Actor, pod: Pod, node: string): Promise<boolean> {
  let areBound = true;
  for (const name of claimNames(pod)) {
    const claim = world.view("persistentvolumeclaims").get(metaOf(pod).namespace ?? "", name);
    if (claim?.status?.phase === "Bound") continue;
    areBound = false;
    if (claim !== undefined && metaOf(claim).annotations?.[SELECTED_NODE] !== node)
      await actor.patch("persistentvolumeclaims", claim, { metadata: { annotations: { [SELECTED_NODE]: node } } });
  }
  return areBound;
}
