// Metrics that an autoscaler looks at.

import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from "../../api/generated/autoscaling-v2.ts";
import { JsonShown } from "../../field-error.ts";
import { QUANTITY } from "../../go-syntax.ts";
import { checkDns1123Label, checkPathSegmentName } from "../../names.ts";
import { quantityAt } from "../checks/quantities.ts";
import { metricResourceName } from "../checks/resource-names.ts";
import type { ValidatedField } from "../field.ts";
import { scaleTarget } from "./scale-target.ts";

const TYPES: readonly string[] = ["ContainerResource", "External", "Object", "Pods", "Resource"];
/** Sources in the order in which they are checked; a type is its source's name in upper case. */
const SOURCES = ["object", "external", "pods", "resource", "containerResource"] as const;
type Source = (typeof SOURCES)[number];

export function metric(spec: MetricSpec, anyVersion: boolean, at: ValidatedField): void {
  const type = spec.type ?? "";
  if (type === "") at.child("type").required("must specify a metric source type");
  if (!TYPES.includes(type)) at.child("type").unsupported(type, TYPES);
  const present = SOURCES.filter((name) => spec[name] !== undefined);
  if (present[0] !== undefined) source(spec, present[0], anyVersion, at.child(present[0]));
  const expected = TYPES.includes(type) ? ((type.charAt(0).toLowerCase() + type.slice(1)) as Source) : undefined;
  if (expected === undefined) at.child("type").unsupported(type, TYPES);
  else if (spec[expected] === undefined) {
    at.child(expected).required("must populate information for the given metric source");
  }
  if (present.length === 1) return;
  for (const name of [...present].sort()) {
    if (name !== expected) at.child(name).forbidden("must populate the given metric source only");
  }
}

function source(spec: MetricSpec, name: Source, anyVersion: boolean, at: ValidatedField): void {
  switch (name) {
    case "object":
      objectSource(spec.object!, anyVersion, at);
      break;
    case "external":
      externalSource(spec.external!, at);
      break;
    case "pods":
      podsSource(spec.pods!, at);
      break;
    case "resource":
      if (!spec.resource!.name) at.child("name").required("must specify a resource name");
      utilization(spec.resource!, at);
      break;
    case "containerResource":
      containerSource(spec.containerResource!, at);
      break;
  }
}

function objectSource(given: ObjectMetricSource, anyVersion: boolean, at: ValidatedField): void {
  const target = given.target ?? {};
  scaleTarget(given.describedObject ?? {}, { emptyGroup: true, anyVersion }, at.child("describedObject"));
  identifier(given.metric ?? {}, at.child("metric"));
  metricTarget(target, at.child("target"));
  if (target.value === undefined && target.averageValue === undefined) {
    at.child("target", "averageValue").required("must set either a target value or averageValue");
  }
}

function externalSource(given: ExternalMetricSource, at: ValidatedField): void {
  const target = given.target ?? {};
  identifier(given.metric ?? {}, at.child("metric"));
  metricTarget(target, at.child("target"));
  if (target.value === undefined && target.averageValue === undefined) {
    at.child("target", "averageValue").required("must set either a target value for metric or a per-pod target");
  }
  if (target.value !== undefined && target.averageValue !== undefined) {
    at.child("target", "value").forbidden("may not set both a target value for metric and a per-pod target");
  }
}

function podsSource(given: PodsMetricSource, at: ValidatedField): void {
  const target = given.target ?? {};
  identifier(given.metric ?? {}, at.child("metric"));
  metricTarget(target, at.child("target"));
  if (target.averageValue === undefined) {
    at.child("target", "averageValue").required("must specify a positive target averageValue");
  }
}

function containerSource(given: ContainerResourceMetricSource, at: ValidatedField): void {
  if (given.name) metricResourceName(given.name, at.child("name"));
  else at.child("name").required("must specify a resource name");
  if (given.container) at.child("container").check(given.container, checkDns1123Label);
  else at.child("container").required("must specify a container");
  utilization(given, at);
}

function utilization(given: ResourceMetricSource | ContainerResourceMetricSource, at: ValidatedField): void {
  const target = given.target ?? {};
  metricTarget(target, at.child("target"));
  if (target.averageUtilization === undefined && target.averageValue === undefined) {
    at.child("target", "averageUtilization").required("must set either a target raw value or a target utilization");
  }
  if (target.averageUtilization !== undefined && target.averageValue !== undefined) {
    at.child("target", "averageValue").forbidden("may not set both a target raw value and a target utilization");
  }
}

function metricTarget(target: MetricTarget, at: ValidatedField): void {
  const type = target.type ?? "";
  if (type === "") at.child("type").required("must specify a metric target type");
  if (!["Utilization", "Value", "AverageValue"].includes(type)) {
    at.child("type").invalid(new JsonShown(type), "must be either Utilization, Value, or AverageValue");
  }
  for (const field of ["value", "averageValue"] as const) {
    const amount = target[field];
    if (amount !== undefined && quantityAt(amount).sign() <= 0) {
      at.child(field).invalid(new JsonShown(quantityAt(amount).toString(), QUANTITY), "must be positive");
    }
  }
  if ((target.averageUtilization ?? 1) < 1) {
    at.child("averageUtilization").invalid(target.averageUtilization, "must be greater than 0");
  }
}

function identifier(given: MetricIdentifier, at: ValidatedField): void {
  if (given.name) at.child("name").check(given.name, checkPathSegmentName);
  else at.child("name").required("must specify a metric name");
}
