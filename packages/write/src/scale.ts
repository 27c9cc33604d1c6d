// The scale subresource: an autoscaling/v1 Scale made from an object, and an object changed by one.

import { isRecord, type JsonObject } from "@celadon/base";
import { type ScaleSubresource, toScale, withReplicas } from "@celadon/crd/write";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { toLabelSelector } from "@celadon/kube/selectors";
import { conflict, internalError } from "@celadon/kube/status";
import { refuseAction } from "./actions.ts";
import { type Draft, draftOf } from "./draft.ts";
import { uidMismatch } from "./preconditions.ts";
import type { WrittenResource } from "./resource.ts";
import { StatusError } from "./status-error.ts";

/** The object as its Scale shows it; `paths` are those of a custom resource. Throws a StatusError where it has no number of replicas. */
export function scaleOf(object: KubeObject, paths?: ScaleSubresource): KubeObject {
  if (paths !== undefined) {
    const scale = toScale(object as Record<string, unknown>, paths);
    if (typeof scale === "string") throw new StatusError(internalError(scale));
    return scale as unknown as KubeObject;
  }
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
  const { replicas, selector } = membersOf(object.spec) as { replicas?: number; selector?: unknown };
  const { replicas: present = 0 } = membersOf(object.status) as { replicas?: number };
  const selected = selectorText(selector, gvkOf(object).group === "");
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas ? { replicas } : {},
    status: { replicas: present, ...(selected !== "" && { selector: selected }) },
  };
}

/** Selectors of replication controllers are plain labels. */
function selectorText(selector: unknown, isPlain: boolean): string {
  const { matchLabels, matchExpressions } = isPlain ? { matchLabels: selector } : membersOf(selector);
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.map(membersOf) : [];
  const parsed = toLabelSelector({ matchLabels: membersOf(matchLabels), matchExpressions: expressions } as never);
  return parsed instanceof Invalid ? "" : parsed.toString();
}

const membersOf = (value: unknown): JsonObject => (isRecord(value) ? (value as JsonObject) : {});

/** The object with the replicas of a Scale. */
export function scaledBy(scale: Draft, object: KubeObject, paths?: ScaleSubresource): Draft {
  const { replicas = 0 } = membersOf(scale.spec) as { replicas?: number };
  if (paths !== undefined)
    return draftOf(withReplicas(object as Record<string, unknown>, paths, replicas) as KubeObject);
  return draftOf({ ...object, spec: { ...membersOf(object.spec), replicas } } as KubeObject);
}

/** Throws a StatusError for a Scale of a built-in kind that is invalid, or meant for another object. */
export async function refuseScale(
  scale: Draft,
  { group, resource, minor }: WrittenResource,
  { metadata }: KubeObject,
): Promise<void> {
  const { name = "", namespace = "", uid = "" } = metadata ?? {};
  await refuseAction({ group: "autoscaling", kind: "Scale" }, scale, { namespace, name, minor });
  const { uid: wanted = "" } = scale.metadata;
  if (wanted === "" || wanted === uid) return;
  throw new StatusError(conflict({ group, resource: `${resource}/scale` }, name, uidMismatch(wanted, uid)));
}
