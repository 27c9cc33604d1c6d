// Autoscalers in both versions. autoscaling/v1 knows one target, the use of CPUs; what else there is, it keeps in annotations as JSON,
// which autoscaling/v2 does not show. An unreadable annotation is lost.

import { compareStrings } from "@celadon/base";
import type { HorizontalPodAutoscaler as Version1 } from "../api/generated/autoscaling-v1.ts";
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerCondition,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
} from "../api/generated/autoscaling-v2.ts";
import type { KubeObject } from "../metadata.ts";
import { marshal, unmarshal } from "./go-json.ts";
import { BEHAVIOR, CONDITIONS, CURRENT_METRICS, type KeptRules, METRICS } from "./kept-types.ts";
import { currentMetricOf, keptCurrentMetric, keptMetric, metricOf } from "./metrics.ts";
import { present } from "./present.ts";

const VERSION_1 = "autoscaling/v1";
const VERSION_2 = "autoscaling/v2";

const PREFIX = "autoscaling.alpha.kubernetes.io/";
const KEPT_METRICS = `${PREFIX}metrics`;
const KEPT_BEHAVIOR = `${PREFIX}behavior`;
const KEPT_CURRENT_METRICS = `${PREFIX}current-metrics`;
const KEPT_CONDITIONS = `${PREFIX}conditions`;

/** Annotations that keep something; no client can set another meaning. */
export const KEPT_ANNOTATIONS: readonly string[] = [
  KEPT_METRICS,
  KEPT_BEHAVIOR,
  KEPT_CURRENT_METRICS,
  KEPT_CONDITIONS,
  `${PREFIX}scale-down-tolerance`,
  `${PREFIX}scale-up-tolerance`,
];

/** The default in percent, where no metric is given. */
export const DEFAULT_UTILIZATION = 80;

/** An autoscaler in one of its versions; the same object if it has that version. */
export function autoscalerIn(object: KubeObject, apiVersion: string): KubeObject {
  const given = object as Version1 | HorizontalPodAutoscaler;
  return (apiVersion === VERSION_1 ? toVersion1(given) : toVersion2(given)) as KubeObject;
}

type Annotations = Readonly<Record<string, string>>;

/** The same object if it has another version than the first. */
export function toVersion2(object: Version1 | HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  if (object.apiVersion !== VERSION_1) return object as HorizontalPodAutoscaler;
  const { metadata, spec = {}, status = {}, ...rest } = object as Version1;
  const annotations = metadata?.annotations ?? {};
  const { observedGeneration, lastScaleTime, currentReplicas, desiredReplicas } = status;
  return {
    ...rest,
    apiVersion: VERSION_2,
    metadata: withAnnotations(metadata, withoutKept(annotations)),
    spec: present({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      metrics: metricsOf(annotations, spec.targetCPUUtilizationPercentage),
      behavior: behaviorOf(annotations[KEPT_BEHAVIOR]),
    }),
    status: present({
      observedGeneration,
      lastScaleTime,
      currentReplicas: currentReplicas || undefined,
      desiredReplicas: desiredReplicas ?? 0,
      currentMetrics: nonEmpty(currentMetricsOf(annotations, status.currentCPUUtilizationPercentage)) ?? null,
      conditions: nonEmpty(conditionsOf(annotations[KEPT_CONDITIONS])),
    }),
  };
}

function metricsOf(annotations: Annotations, cpu: number | undefined): readonly MetricSpec[] {
  const kept = annotations[KEPT_METRICS];
  const metrics = ((kept !== undefined && unmarshal(METRICS, kept)) || []).map(metricOf);
  if (cpu !== undefined) metrics.push(cpuMetric(cpu));
  return metrics.length === 0 ? [cpuMetric(DEFAULT_UTILIZATION)] : metrics;
}

/** A target for the use of CPUs, in percent. */
export function cpuMetric(averageUtilization: number): MetricSpec {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** The annotation knows more than the field. */
function currentMetricsOf(annotations: Annotations, cpu: number | undefined): readonly MetricStatus[] {
  const kept = annotations[KEPT_CURRENT_METRICS];
  const metrics = kept === undefined ? undefined : unmarshal(CURRENT_METRICS, kept);
  if (metrics !== undefined) return metrics.map(currentMetricOf);
  return cpu === undefined
    ? []
    : [{ type: "Resource", resource: { name: "cpu", current: { averageUtilization: cpu } } }];
}

function conditionsOf(kept: string | undefined): readonly HorizontalPodAutoscalerCondition[] {
  const conditions = (kept !== undefined && unmarshal(CONDITIONS, kept)) || [];
  return conditions.map((condition) => present(condition) as HorizontalPodAutoscalerCondition);
}

function behaviorOf(kept: string | undefined): HorizontalPodAutoscalerBehavior | undefined {
  const behavior = kept === undefined ? undefined : unmarshal(BEHAVIOR, kept);
  if (behavior === undefined || (behavior.ScaleUp === null && behavior.ScaleDown === null)) return undefined;
  return present({ scaleUp: rulesOf(behavior.ScaleUp), scaleDown: rulesOf(behavior.ScaleDown) });
}

function rulesOf(kept: KeptRules | null): HPAScalingRules | undefined {
  if (kept === null) return undefined;
  return present({
    stabilizationWindowSeconds: kept.StabilizationWindowSeconds ?? undefined,
    selectPolicy: kept.SelectPolicy ?? undefined,
    policies: kept.Policies?.map(({ Type, Value, PeriodSeconds }) => ({
      type: Type,
      value: Value,
      periodSeconds: PeriodSeconds,
    })),
    tolerance: kept.Tolerance ?? undefined,
  });
}

/** The same object if it has another version than the second. */
export function toVersion1(object: Version1 | HorizontalPodAutoscaler): Version1 {
  if (object.apiVersion !== VERSION_2) return object as Version1;
  const { metadata, spec = {}, status = {}, ...rest } = object as HorizontalPodAutoscaler;
  const { metrics = [], behavior } = spec;
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0, conditions = [] } = status;
  const currentMetrics = status.currentMetrics ?? [];
  const others = metrics.filter((metric) => cpuTarget(metric) === undefined);
  const annotations = {
    ...withoutKept(metadata?.annotations ?? {}),
    ...(others.length > 0 && { [KEPT_METRICS]: marshal(METRICS, others.map(keptMetric)) }),
    ...(behavior !== undefined && { [KEPT_BEHAVIOR]: marshal(BEHAVIOR, keptBehavior(behavior)) }),
    ...(currentMetrics.length > 0 && {
      [KEPT_CURRENT_METRICS]: marshal(CURRENT_METRICS, currentMetrics.map(keptCurrentMetric)),
    }),
    ...(conditions.length > 0 && { [KEPT_CONDITIONS]: marshal(CONDITIONS, conditions) }),
  };
  return {
    ...rest,
    apiVersion: VERSION_1,
    metadata: withAnnotations(metadata, annotations),
    spec: present({
      scaleTargetRef: spec.scaleTargetRef,
      minReplicas: spec.minReplicas,
      maxReplicas: spec.maxReplicas,
      targetCPUUtilizationPercentage: firstOf(metrics.map(cpuTarget)),
    }),
    status: present({
      observedGeneration,
      lastScaleTime,
      currentReplicas,
      desiredReplicas,
      currentCPUUtilizationPercentage: firstOf(currentMetrics.map(cpuUse).reverse()),
    }),
  };
}

function cpuTarget({ type, resource }: MetricSpec): number | undefined {
  return type === "Resource" && resource?.name === "cpu" ? resource.target?.averageUtilization : undefined;
}

function cpuUse({ type, resource }: MetricStatus): number | undefined {
  return type === "Resource" && resource?.name === "cpu" ? resource.current?.averageUtilization : undefined;
}

function firstOf(numbers: readonly (number | undefined)[]): number | undefined {
  return numbers.find((number) => number !== undefined);
}

function keptBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object {
  return { ScaleUp: keptRules(scaleUp), ScaleDown: keptRules(scaleDown) };
}

function keptRules(rules: HPAScalingRules | undefined): object | undefined {
  return (
    rules && {
      StabilizationWindowSeconds: rules.stabilizationWindowSeconds,
      SelectPolicy: rules.selectPolicy,
      Policies: rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })),
      Tolerance: rules.tolerance,
    }
  );
}

function withoutKept(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !KEPT_ANNOTATIONS.includes(key)));
}

/** Keys are written sorted. */
function withAnnotations(metadata: Version1["metadata"], annotations: Annotations): NonNullable<Version1["metadata"]> {
  const { annotations: _, ...others } = metadata ?? {};
  const entries = Object.entries(annotations).sort(([a], [b]) => compareStrings(a, b));
  return entries.length === 0 ? others : { ...others, annotations: Object.fromEntries(entries) };
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
