// Metrics of autoscaling/v2, and the form that autoscaling/v1 keeps them in: targets and values are fields of the source there. The type
// fills in missing fields of a kept form.

import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from "../api/generated/autoscaling-v2.ts";
import type { KeptCurrentMetric, KeptMetric } from "./kept-types.ts";
import { present } from "./present.ts";

export function metricOf(kept: KeptMetric): MetricSpec {
  const { type, object, pods, resource, containerResource, external } = kept;
  return present<MetricSpec>({
    type,
    object: object && {
      describedObject: present(object.target),
      target: objectTarget(object),
      metric: identifier(object.metricName, object.selector),
    },
    pods: pods && {
      metric: identifier(pods.metricName, pods.selector),
      target: { type: "AverageValue", averageValue: pods.targetAverageValue },
    },
    resource: resource && { name: resource.name, target: resourceTarget(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      target: resourceTarget(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: identifier(external.metricName, external.metricSelector),
      target: present<MetricTarget>({
        type: external.targetValue === undefined ? "AverageValue" : "Value",
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  });
}

/** The kept form cannot leave out the value, so beside an average zero means none. */
function objectTarget({ targetValue, averageValue }: NonNullable<KeptMetric["object"]>): MetricTarget {
  if (averageValue === undefined) return { type: "Value", value: targetValue };
  return { type: "AverageValue", ...(targetValue !== "0" && { value: targetValue }), averageValue };
}

function resourceTarget(kept: NonNullable<KeptMetric["resource"]>): MetricTarget {
  const { targetAverageValue: averageValue, targetAverageUtilization: averageUtilization } = kept;
  const type = averageUtilization === undefined ? "AverageValue" : "Utilization";
  return present<MetricTarget>({ type, averageValue, averageUtilization });
}

export function keptMetric({ type, object, pods, resource, containerResource, external }: MetricSpec): object {
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric?.name,
      targetValue: object.target?.value,
      selector: object.metric?.selector,
      averageValue: object.target?.averageValue,
    },
    pods: pods && {
      metricName: pods.metric?.name,
      targetAverageValue: pods.target?.averageValue,
      selector: pods.metric?.selector,
    },
    resource: resource && keptResource(resource),
    containerResource: containerResource && {
      ...keptResource(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric?.name,
      metricSelector: external.metric?.selector,
      targetValue: external.target?.value,
      targetAverageValue: external.target?.averageValue,
    },
  };
}

function keptResource({
  name,
  target,
}: {
  readonly name?: string | undefined;
  readonly target?: MetricTarget | undefined;
}): object {
  return {
    name,
    targetAverageUtilization: target?.averageUtilization,
    targetAverageValue: target?.averageValue,
  };
}

export function currentMetricOf(kept: KeptCurrentMetric): MetricStatus {
  const { type, object, pods, resource, containerResource, external } = kept;
  return present<MetricStatus>({
    type,
    object: object && {
      metric: identifier(object.metricName, object.selector),
      current: present<MetricValueStatus>({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: present(object.target),
    },
    pods: pods && {
      metric: identifier(pods.metricName, pods.selector),
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && { name: resource.name, current: resourceUse(resource) },
    containerResource: containerResource && {
      name: containerResource.name,
      current: resourceUse(containerResource),
      container: containerResource.container,
    },
    external: external && {
      metric: identifier(external.metricName, external.metricSelector),
      current: present<MetricValueStatus>({
        value: external.currentValue,
        averageValue: external.currentAverageValue,
      }),
    },
  });
}

function resourceUse(kept: NonNullable<KeptCurrentMetric["resource"]>): MetricValueStatus {
  return present<MetricValueStatus>({
    averageValue: kept.currentAverageValue,
    averageUtilization: kept.currentAverageUtilization,
  });
}

export function keptCurrentMetric(metric: MetricStatus): object {
  const { type, object, pods, resource, containerResource, external } = metric;
  return {
    type,
    object: object && {
      target: object.describedObject,
      metricName: object.metric?.name,
      currentValue: object.current?.value,
      selector: object.metric?.selector,
      averageValue: object.current?.averageValue,
    },
    pods: pods && {
      metricName: pods.metric?.name,
      currentAverageValue: pods.current?.averageValue,
      selector: pods.metric?.selector,
    },
    resource: resource && keptUse(resource),
    containerResource: containerResource && { ...keptUse(containerResource), container: containerResource.container },
    external: external && {
      metricName: external.metric?.name,
      metricSelector: external.metric?.selector,
      currentValue: external.current?.value,
      currentAverageValue: external.current?.averageValue,
    },
  };
}

function keptUse({
  name,
  current,
}: {
  readonly name?: string | undefined;
  readonly current?: MetricValueStatus | undefined;
}): object {
  return {
    name,
    currentAverageUtilization: current?.averageUtilization,
    currentAverageValue: current?.averageValue,
  };
}

function identifier(name: string, selector: KeptSelector): MetricIdentifier {
  return present<MetricIdentifier>({ name, selector: selector && presentSelector(selector) });
}

type KeptSelector = NonNullable<KeptMetric["pods"]>["selector"];

function presentSelector({
  matchLabels,
  matchExpressions,
}: NonNullable<KeptSelector>): NonNullable<MetricIdentifier["selector"]> {
  return present({ matchLabels, matchExpressions: matchExpressions?.map((requirement) => present(requirement)) });
}
