// HorizontalPodAutoscalers. Version 1 is read as version 2: fields that it lacks are in annotations.

import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingRules,
} from "../../api/generated/autoscaling-v2.ts";
import { toVersion1, toVersion2 } from "../../autoscaling/versions.ts";
import type { Emulation } from "../../emulation.ts";
import { checkDns1123Subdomain } from "../../names.ts";
import { metadata, metadataUpdate } from "../checks/metadata.ts";
import { notNegativeQuantity } from "../checks/quantities.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { metric } from "./metrics.ts";
import { scaleTarget, type TargetOptions, versionProblem } from "./scale-target.ts";

const MAX_PERIOD = 1800;
const MAX_WINDOW = 3600;

interface Options {
  readonly fewest: number;
  readonly target: TargetOptions;
  /** An object that is described with a bad version already may keep it. */
  readonly anyDescribed: boolean;
}

export const horizontalPodAutoscaler: AnyKindRules = kindRules<HorizontalPodAutoscaler>({
  kind: { group: "autoscaling", kind: "HorizontalPodAutoscaler" },
  resource: "horizontalpodautoscalers",
  namespaced: true,
  unconditionalUpdate: true,
  versions: {
    read: toVersion2,
    served: (object, apiVersion) => (apiVersion === "autoscaling/v1" ? toVersion1(object) : object),
  },
  drops: [STATUS],
  keeps: [STATUS],
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: checkDns1123Subdomain }, at.child("metadata"));
    autoscalerSpec(object.spec ?? {}, optionsFor(object, undefined, at.by), at.child("spec"));
  },
  validateUpdate(object, old, at) {
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    autoscalerSpec(object.spec ?? {}, optionsFor(object, old, at.by), at.child("spec"));
  },
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        at.child("status", "currentReplicas").notNegative(object.status?.currentReplicas);
        at.child("status", "desiredReplicas").notNegative(object.status?.desiredReplicas);
      },
    },
  },
});

function optionsFor(object: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined, by: Emulation): Options {
  const [now, before] = [object.spec?.scaleTargetRef ?? {}, old?.spec?.scaleTargetRef];
  const isSame = before !== undefined && before.apiVersion === now.apiVersion && before.kind === now.kind;
  const described = { emptyGroup: true, anyVersion: false };
  return {
    fewest: by.enables("HPAScaleToZero") || old?.spec?.minReplicas === 0 ? 0 : 1,
    target: { anyVersion: isSame, emptyGroup: now.kind === "ReplicationController" },
    anyDescribed: (old?.spec?.metrics ?? []).some(
      (spec) => spec.object && versionProblem(spec.object.describedObject?.apiVersion ?? "", described) !== undefined,
    ),
  };
}

function autoscalerSpec(spec: HorizontalPodAutoscalerSpec, options: Options, at: ValidatedField): void {
  const { minReplicas: min, maxReplicas: max = 0 } = spec;
  if (min !== undefined && min < options.fewest) {
    at.child("minReplicas").invalid(min, `must be greater than or equal to ${options.fewest}`);
  }
  const place = at.child("maxReplicas");
  if (at.by.before(36)) {
    if (max < 1) place.invalid(max, "must be greater than 0");
  } else if (max < 0) place.declared.invalid(max, "must be greater than or equal to 1");
  else place.mustBeDeclared(max, "must be set and greater than 0");
  if (min !== undefined && max < min) place.invalid(max, "must be greater than or equal to `minReplicas`");
  scaleTarget(spec.scaleTargetRef ?? {}, options.target, at.child("scaleTargetRef"));
  const metrics = at.child("metrics");
  metrics.each(spec.metrics, (metricSpec, each) => metric(metricSpec, options.anyDescribed, each));
  const wakes = (spec.metrics ?? []).some(
    (metricSpec) => metricSpec.type === "Object" || metricSpec.type === "External",
  );
  if (min === 0 && !wakes) {
    metrics.forbidden("must specify at least one Object or External metric to support scaling to zero replicas");
  }
  scalingRules(spec.behavior?.scaleUp, at.child("behavior", "scaleUp"));
  scalingRules(spec.behavior?.scaleDown, at.child("behavior", "scaleDown"));
}

function scalingRules(rules: HPAScalingRules | undefined, at: ValidatedField): void {
  if (rules === undefined) return;
  const window = rules.stabilizationWindowSeconds;
  if (window !== undefined) {
    const place = at.child("stabilizationWindowSeconds");
    if (window < 0) place.invalid(window, "must be greater than or equal to zero");
    if (window > MAX_WINDOW) place.invalid(window, `must be less than or equal to ${MAX_WINDOW}`);
  }
  at.child("selectPolicy").mayBeOneOf(rules.selectPolicy, ["Disabled", "Max", "Min"]);
  at.child("policies").mustExist(rules.policies, "must specify at least one Policy");
  at.child("policies").each(rules.policies, ({ type, value = 0, periodSeconds: seconds = 0 }, each) => {
    each.child("type").oneOf(type, ["Percent", "Pods"]);
    each.child("value").positive(value);
    each.child("periodSeconds").positive(seconds);
    if (seconds > MAX_PERIOD)
      each.child("periodSeconds").invalid(seconds, `must be less than or equal to ${MAX_PERIOD}`);
  });
  if (rules.tolerance !== undefined) notNegativeQuantity(rules.tolerance, at.child("tolerance"));
}
