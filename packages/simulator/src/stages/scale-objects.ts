// The scale subresource: policies receive an autoscaling/v1 Scale, not the scaled object. A caller may give either: a
// Scale with the old object it is for, or the object with its new number of replicas.

import { isRecord, type JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import { toScale, withReplicas } from "@celadon/crd/write";
import { gvkOf, type KubeObject, metadataOf } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import { type LabelSelectorObject, toLabelSelector } from "@celadon/kube/selectors";

export function isScale(object: KubeObject | null | undefined): boolean {
  if (!object) return false;
  const { group, kind } = gvkOf(object);
  return group === "autoscaling" && kind === "Scale";
}

/** The object with the replicas of a Scale. */
export function scaledBy(scale: KubeObject, old: KubeObject, version: ResourceVersion | undefined): KubeObject {
  const { replicas = 0 } = fieldsOf(scale.spec);
  if (version?.scale) return withReplicas(old as JsonObject, version.scale, Number(replicas)) as KubeObject;
  return { ...old, spec: { ...fieldsOf(old.spec), replicas } };
}

/** The form in which policies see an object; the object itself when it cannot be scaled. */
export function asScale(object: KubeObject, version: ResourceVersion | undefined): KubeObject {
  if (version === undefined) return builtinScale(object);
  const scale = version.scale && toScale(object as JsonObject, version.scale);
  return typeof scale === "object" ? (scale as unknown as KubeObject) : object;
}

function builtinScale(object: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const { replicas, selector } = fieldsOf(object.spec);
  const shown = selectorText(selector, gvkOf(object).group === "");
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: defined({ replicas: replicas === 0 ? undefined : replicas }),
    status: { replicas: fieldsOf(object.status).replicas ?? 0, ...(shown !== "" && { selector: shown }) },
  };
}

/** Selectors of replication controllers are plain labels. */
function selectorText(selector: unknown, plain: boolean): string {
  const { matchLabels, matchExpressions } = plain
    ? { matchLabels: selector, matchExpressions: [] }
    : fieldsOf(selector);
  const made = toLabelSelector({
    matchLabels: fieldsOf(matchLabels),
    matchExpressions: Array.isArray(matchExpressions) ? matchExpressions.map(fieldsOf) : [],
  } as unknown as LabelSelectorObject);
  return isInvalid(made) ? "" : made.toString();
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function defined(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, never>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<string, never>;
}
