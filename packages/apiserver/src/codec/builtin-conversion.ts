// Built-in objects that are served in two versions: events and autoscalers.

import type { KubeObject } from "@celadon/kube";
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
  const named = { ...object, apiVersion, kind };
  if (kind === "Event") return renamed(named, apiVersion === "v1");
  if (kind === "HorizontalPodAutoscaler")
    return apiVersion === "autoscaling/v1" ? firstAutoscaler(named) : secondAutoscaler(named);
  return named;
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

interface Metric {
  readonly type?: string;
  readonly resource?: {
    readonly name?: string;
    readonly target?: { readonly type?: string; readonly averageUtilization?: number };
  };
}

/** A target for the CPU is a separate field; other metrics are kept in an annotation. */
const METRICS = "autoscaling.alpha.kubernetes.io/metrics";

const isCpu = ({ type, resource }: Metric): boolean =>
  type === "Resource" && resource?.name === "cpu" && resource.target?.averageUtilization !== undefined;

function firstAutoscaler(object: KubeObject): KubeObject {
  const { metrics = [], behavior: _, ...spec } = (object.spec ?? {}) as { metrics?: Metric[]; behavior?: unknown };
  const cpu = metrics.find(isCpu)?.resource?.target?.averageUtilization;
  const others = metrics.filter((metric) => !isCpu(metric));
  const annotations = {
    ...object.metadata?.annotations,
    ...(others.length > 0 && { [METRICS]: JSON.stringify(others) }),
  };
  const metadata = { ...object.metadata, ...(Object.keys(annotations).length > 0 && { annotations }) };
  return { ...object, metadata, spec: { ...spec, ...(cpu !== undefined && { targetCPUUtilizationPercentage: cpu }) } };
}

function secondAutoscaler(object: KubeObject): KubeObject {
  const { targetCPUUtilizationPercentage: cpu, ...spec } = (object.spec ?? {}) as {
    targetCPUUtilizationPercentage?: number;
  };
  const { [METRICS]: kept, ...annotations } = (object.metadata?.annotations ?? {}) as Record<string, string>;
  const target = { type: "Utilization", averageUtilization: cpu };
  const metrics = [
    ...listed(kept),
    ...(cpu === undefined ? [] : [{ type: "Resource", resource: { name: "cpu", target } }]),
  ];
  const { annotations: _, ...metadata } = object.metadata ?? {};
  return {
    ...object,
    metadata: { ...metadata, ...(Object.keys(annotations).length > 0 && { annotations }) },
    spec: { ...spec, ...(metrics.length > 0 && { metrics }) },
  };
}

function listed(text: string | undefined): readonly unknown[] {
  try {
    const value: unknown = text === undefined ? [] : JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
