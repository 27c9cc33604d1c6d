// Defaults of autoscalers: k8s.io/kubernetes pkg/apis/autoscaling, Kubernetes 1.36. The older version keeps what it has no field
// for in annotations, which the newer one does not show.

import { isStruct, isZero, type Rule, type Struct, set, unset, whole, within, withKey, withoutKeys } from "./rules.ts";

const DEFAULT_UTILIZATION = 80;

const METRICS = "autoscaling.alpha.kubernetes.io/metrics";
const BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
const CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
const CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
const KEPT = [
  METRICS,
  BEHAVIOR,
  CURRENT_METRICS,
  CONDITIONS,
  "autoscaling.alpha.kubernetes.io/scale-down-tolerance",
  "autoscaling.alpha.kubernetes.io/scale-up-tolerance",
];

const policy = (type: string, value: number): Struct => ({ type, value, periodSeconds: 15 });

// A list that is there and empty counts as given, and encoding leaves it out.
const scaling = (policies: () => readonly Struct[], window: boolean): Rule => {
  const fill = within({ selectPolicy: unset("Max"), ...(window && { stabilizationWindowSeconds: unset(0) }) });
  return (given) => {
    const rules = isStruct(given) ? given : {};
    rules.policies ??= policies();
    if (isZero(rules.policies)) delete rules.policies;
    return fill(rules);
  };
};

const scaleUp = scaling(() => [policy("Pods", 4), policy("Percent", 100)], true);
const scaleDown = scaling(() => [policy("Percent", 100)], false);

export const autoscaler: Rule = within({
  metadata: within({ annotations: (given) => withoutKeys(given, KEPT) }),
  spec: whole((spec) => {
    spec.minReplicas ??= 1;
    if (isZero(spec.metrics)) {
      const target = { type: "Utilization", averageUtilization: DEFAULT_UTILIZATION };
      spec.metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
    }
    within({ behavior: whole((behavior) => fillBehavior(behavior)) })(spec);
  }),
});

function fillBehavior(behavior: Struct): void {
  behavior.scaleUp = scaleUp(behavior.scaleUp);
  behavior.scaleDown = scaleDown(behavior.scaleDown);
}

/** The version that knows the use of CPUs alone. */
export const autoscalerV1: Rule = whole((object) => {
  const { metadata, spec, status } = object;
  if (!isStruct(metadata) || !isStruct(spec) || !isStruct(status)) return;
  spec.minReplicas ??= 1;
  const given = isStruct(metadata.annotations) ? metadata.annotations : {};
  const others = listIn(given[METRICS]);
  const used = spec.targetCPUUtilizationPercentage ?? others.find(isCpuUse)?.resource;
  if (isStruct(used)) spec.targetCPUUtilizationPercentage = used.targetAverageUtilization;
  else if (used === undefined && others.length === 0) spec.targetCPUUtilizationPercentage = DEFAULT_UTILIZATION;

  let kept = withoutKeys(metadata.annotations, KEPT);
  const keep = (key: string, value: unknown): void => {
    kept = withKey(kept, key, JSON.stringify(value));
  };
  const left = others.filter((metric) => !isCpuUse(metric));
  if (left.length > 0) keep(METRICS, left);
  const current = currentMetrics(status, given[CURRENT_METRICS]);
  if (current.length > 0) keep(CURRENT_METRICS, current);
  const behavior = parsed(given[BEHAVIOR]);
  if (isStruct(behavior) && Object.keys(behavior).length > 0) keep(BEHAVIOR, behavior);
  const conditions = listIn(given[CONDITIONS]);
  if (conditions.length > 0) keep(CONDITIONS, conditions);
  set(metadata, "annotations", kept);
});

function currentMetrics(status: Struct, annotation: unknown): readonly unknown[] {
  if (annotation !== undefined && Array.isArray(parsed(annotation))) return listIn(annotation);
  const use = status.currentCPUUtilizationPercentage;
  if (use === undefined) return [];
  return [{ type: "Resource", resource: { name: "cpu", currentAverageUtilization: use, currentAverageValue: "0" } }];
}

function isCpuUse(metric: Struct): boolean {
  const { type, resource } = metric;
  return (
    type === "Resource" && isStruct(resource) && resource.name === "cpu" && resource.targetAverageUtilization != null
  );
}

function listIn(text: unknown): readonly Struct[] {
  const value = parsed(text);
  return Array.isArray(value) ? value.filter(isStruct) : [];
}

function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a server keeps what it can read
  }
}
