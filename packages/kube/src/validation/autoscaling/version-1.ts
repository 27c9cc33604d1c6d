// autoscaling/v1 objects as autoscaling/v2: one target for cpu, everything else in annotations as JSON.

import type { HorizontalPodAutoscaler as Version1 } from "../../api/autoscaling-v1.ts";
import type { HorizontalPodAutoscaler, MetricSpec } from "../../api/autoscaling-v2.ts";

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const STATUSES = ["autoscaling.alpha.kubernetes.io/current-metrics", "autoscaling.alpha.kubernetes.io/conditions"];

/** The same object where it is of another version. */
export function fromVersion1(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  if (object.apiVersion !== "autoscaling/v1") return object;
  const { spec = {}, ...rest } = object as Version1;
  const { targetCPUUtilizationPercentage: percentage, ...kept } = spec;
  const annotations = { ...rest.metadata?.annotations };
  const cpu: MetricSpec[] =
    percentage === undefined
      ? []
      : [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: percentage } },
          },
        ];
  const others = listed(annotations[METRICS]).map(metricOf);
  const behavior = annotations[BEHAVIOR] === undefined ? undefined : parsed(annotations[BEHAVIOR]);
  for (const key of [METRICS, BEHAVIOR, ...STATUSES]) delete annotations[key];
  const metrics = [...others, ...cpu];
  return {
    ...rest,
    metadata: { ...rest.metadata, annotations },
    spec: {
      ...kept,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...(behavior === undefined ? {} : { behavior }),
    },
  } as HorizontalPodAutoscaler;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function listed(text: string | undefined): readonly Readonly<Record<string, Record<string, unknown>>>[] {
  const value = text === undefined ? undefined : parsed(text);
  return Array.isArray(value) ? value : [];
}

const SOURCES = ["object", "pods", "resource", "external", "containerResource"];

/** A metric of the first version: targets are fields of the source. */
function metricOf(given: Readonly<Record<string, Record<string, unknown>>>): MetricSpec {
  const result: Record<string, unknown> = { type: given.type };
  for (const name of SOURCES) {
    const source = given[name];
    if (source === undefined) continue;
    const { metricName, selector, metricSelector, targetValue, targetAverageValue, averageValue, ...rest } = source;
    const utilization = source.targetAverageUtilization;
    const average = targetAverageValue ?? averageValue;
    const type = utilization !== undefined ? "Utilization" : average !== undefined ? "AverageValue" : "Value";
    const target = {
      type,
      ...(targetValue === undefined ? {} : { value: targetValue }),
      ...(average === undefined ? {} : { averageValue: average }),
      ...(utilization === undefined ? {} : { averageUtilization: utilization }),
    };
    result[name] = {
      ...(rest.target === undefined ? {} : { describedObject: rest.target }),
      ...(metricName === undefined ? {} : { metric: { name: metricName, selector: selector ?? metricSelector } }),
      ...(rest.name === undefined ? {} : { name: rest.name }),
      ...(rest.container === undefined ? {} : { container: rest.container }),
      target,
    };
  }
  return result as MetricSpec;
}
