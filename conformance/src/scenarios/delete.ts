// Deleting one object or all that match a selector; objects with finalizers are marked and stay.

import { Invalid } from "@celadon/kube/errors";
import { parseLabelSelector } from "@celadon/kube/selectors";
import { notFound } from "@celadon/kube/status";
import { admit, type Notes } from "./admission.ts";
import { type Answer, type Call, failed, isStatus, type Place, succeeded } from "./call.ts";
import type { ScenarioCluster } from "./cluster.ts";
import type { User } from "./handler.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";
import { hasFinalizers, metadataOf, withMetadata, writeOf } from "./write.ts";

export async function deleteObject(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  const old = cluster.get(kind, place.namespace, place.name);
  if (old === undefined) return failed(notFound(kind, place.name));
  const write = writeOf(cluster, kind, "DELETE", place, user, call, old);
  const notes: Notes = { warnings: [], auditAnnotations: {} };
  const admitted = await admit(write, notes);
  if (isStatus(admitted)) return failed(admitted, notes);
  const kept = remove(cluster, kind, place, old, call.dryRun ?? false);
  if (kept !== undefined) return succeeded(200, kept, notes);
  // Pods are deleted gracefully: the answer is the pod, also where it is gone at once.
  if (kind.resource === "pods") return succeeded(200, old, notes);
  const details = { name: place.name, ...(kind.group === "" ? {} : { group: kind.group }), kind: kind.resource };
  return succeeded(200, { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details }, notes);
}

export async function deleteCollection(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  user: User,
  call: Call,
): Promise<Answer> {
  const selector = parseLabelSelector(call.labelSelector ?? "");
  const notes: Notes = { warnings: [], auditAnnotations: {} };
  const items = cluster.list(kind, kind.namespaced ? place.namespace : undefined);
  const found = selector instanceof Invalid ? [] : items.filter((item) => selector.matches(labelsOf(item)));
  for (const old of found) {
    const write = writeOf(cluster, kind, "DELETE", { ...place, name: "" }, user, call, old);
    const admitted = await admit(write, notes);
    if (isStatus(admitted)) return failed(admitted, notes);
    remove(cluster, kind, { ...place, name: String(metadataOf(old).name) }, old, call.dryRun ?? false);
  }
  return succeeded(200, { kind: `${kind.kind}List`, apiVersion: "v1", metadata: {}, items: found }, notes);
}

function remove(
  cluster: ScenarioCluster,
  kind: Kind,
  place: Place,
  old: JsonObject,
  dryRun: boolean,
): JsonObject | undefined {
  if (hasFinalizers(old) || kind.resource === "namespaces") {
    const marked = withMetadata(old, { deletionTimestamp: "2026-01-01T00:00:00Z", deletionGracePeriodSeconds: 0 });
    if (!dryRun) cluster.store.put(kind, place.namespace, place.name, marked);
    return marked;
  }
  if (!dryRun) {
    cluster.store.delete(kind, place.namespace, place.name);
    cluster.handlerOf(kind).deleted?.(old, cluster);
  }
  return undefined;
}

function labelsOf(object: JsonObject): Record<string, string> {
  const labels = metadataOf(object).labels;
  return isObject(labels) ? (labels as Record<string, string>) : {};
}
