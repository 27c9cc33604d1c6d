// The scale subresource: an autoscaling/v1 Scale made from an object, and an object changed by one.

import type { ScenarioCluster } from "./cluster.ts";
import type { Write } from "./handler.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";

export function scaleOf(cluster: ScenarioCluster, kind: Kind, object: JsonObject): JsonObject {
  return cluster.handlerOf(kind).toScale?.(object, kind) ?? toScale(object, kind);
}

export function objectFromScale(
  cluster: ScenarioCluster,
  kind: Kind,
  scale: JsonObject,
  object: JsonObject,
): JsonObject {
  return cluster.handlerOf(kind).fromScale?.(scale, object, kind) ?? fromScale(scale, object);
}

function toScale(object: JsonObject, kind: Kind): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = (object.metadata ?? {}) as Record<string, Json>;
  const spec = isObject(object.spec) ? object.spec : {};
  const status = isObject(object.status) ? object.status : {};
  const selector = selectorText(spec.selector, kind);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: defined({ name, namespace, uid, resourceVersion, creationTimestamp }),
    spec: defined({ replicas: spec.replicas === 0 ? undefined : spec.replicas }),
    status: { replicas: status.replicas ?? 0, ...(selector === "" ? {} : { selector }) },
  };
}

function fromScale(scale: JsonObject, object: JsonObject): JsonObject {
  const spec = isObject(scale.spec) ? scale.spec : {};
  const given = isObject(scale.metadata) ? scale.metadata : {};
  const metadata = { ...(object.metadata as JsonObject) };
  return {
    ...object,
    metadata: given.resourceVersion === undefined ? metadata : { ...metadata, resourceVersion: given.resourceVersion },
    spec: { ...(isObject(object.spec) ? object.spec : {}), replicas: spec.replicas ?? 0 },
  };
}

function selectorText(selector: Json | undefined, kind: Kind): string {
  if (!isObject(selector) || kind.group !== "apps") return "";
  const labels = isObject(selector.matchLabels) ? selector.matchLabels : {};
  return Object.keys(labels)
    .sort()
    .map((key) => `${key}=${String(labels[key])}`)
    .join(",");
}

function defined(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** The form in which policies see an object that is read through another resource, such as a Scale. */
export function presented(write: Write, object: JsonObject | undefined): JsonObject | undefined {
  return object !== undefined && write.subresource === "scale" ? scaleOf(write.cluster, write.kind, object) : object;
}
