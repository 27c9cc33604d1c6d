// Built-in objects that are served in two versions: events and autoscalers.

import type { KubeObject } from "@celadon/kube";
import { autoscalerIn } from "@celadon/kube/defaults";
import type { DecodeKind } from "@celadon/kube/types";

type Fields = Record<string, unknown>;

/** Fields of an event in the core group, and what events.k8s.io calls them. */
const EVENT_FIELDS: readonly (readonly [core: string, other: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

export function convertBuiltin(object: KubeObject, to: DecodeKind): KubeObject {
  const { apiVersion, kind } = to;
  if (object.apiVersion === apiVersion) return object;
  if (kind === "HorizontalPodAutoscaler") return autoscalerIn(object, apiVersion);
  const named = { ...object, apiVersion, kind };
  return kind === "Event" ? renamed(named, apiVersion === "v1") : named;
}

function renamed(event: KubeObject, toCore: boolean): KubeObject {
  const fields: Fields = { ...event };
  for (const [core, other] of EVENT_FIELDS) {
    const [from, into] = toCore ? [other, core] : [core, other];
    if (!Object.hasOwn(fields, from)) continue;
    fields[into] = fields[from];
    delete fields[from];
  }
  return fields as KubeObject;
}
