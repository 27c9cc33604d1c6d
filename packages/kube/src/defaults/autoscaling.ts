// Defaults of autoscalers: k8s.io/kubernetes pkg/apis/autoscaling, Kubernetes 1.36. The older version keeps fields that it lacks in
// annotations, which the newer one does not show.

import { cpuMetric, DEFAULT_UTILIZATION, KEPT_ANNOTATIONS, toVersion1, toVersion2 } from "../autoscaling/versions.ts";
import type { Emulation } from "../emulation.ts";
import { isStruct, isZero, ofObject, ofStruct, type Rule, type Struct, set, whenUnset, withoutKeys } from "./rules.ts";

const policy = (type: string, value: number): Struct => ({ type, value, periodSeconds: 15 });

// An empty list counts as given, and encoding leaves it out.
const scaling = (policies: () => readonly Struct[], window: boolean): Rule => {
  const fill = ofStruct({
    selectPolicy: whenUnset("Max"),
    ...(window && { stabilizationWindowSeconds: whenUnset(0) }),
  });
  return (given, by) => {
    const rules = isStruct(given) ? given : {};
    rules.policies ??= policies();
    if (isZero(rules.policies)) delete rules.policies;
    return fill(rules, by);
  };
};

const scaleUp = scaling(() => [policy("Pods", 4), policy("Percent", 100)], true);
const scaleDown = scaling(() => [policy("Percent", 100)], false);

export const autoscaler: Rule = ofStruct({
  metadata: ofStruct({ annotations: (given) => withoutKeys(given, KEPT_ANNOTATIONS) }),
  spec: ofObject((spec, by) => {
    spec.minReplicas ??= 1;
    if (isZero(spec.metrics)) spec.metrics = [cpuMetric(DEFAULT_UTILIZATION)];
    ofStruct({ behavior: ofObject(fillBehavior) })(spec, by);
  }),
});

function fillBehavior(behavior: Struct, by: Emulation): void {
  behavior.scaleUp = scaleUp(behavior.scaleUp, by);
  behavior.scaleDown = scaleDown(behavior.scaleDown, by);
}

/** The version with the use of CPUs alone: its annotations are written anew. */
export const autoscalerV1: Rule = ofObject((object) => {
  const { metadata, spec } = object;
  if (!isStruct(metadata) || !isStruct(spec)) return;
  spec.minReplicas ??= 1;
  const again = toVersion1(toVersion2(object));
  set(metadata, "annotations", again.metadata?.annotations);
  object.spec = again.spec;
  object.status = again.status;
});
