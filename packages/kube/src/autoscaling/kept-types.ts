// The annotations in which autoscaling/v1 keeps fields: metrics in types of that version, behavior in those of the server itself, whose
// fields are named as in Go.

import {
  type GoType,
  int32,
  list,
  nullable,
  omitempty,
  pointer,
  quantity,
  struct,
  text,
  texts,
  time,
} from "./go-json.ts";

interface KeptSelector {
  readonly matchLabels: Readonly<Record<string, string>> | undefined;
  readonly matchExpressions: readonly KeptRequirement[] | undefined;
}

interface KeptRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values: readonly string[] | undefined;
}

interface KeptReference {
  readonly kind: string;
  readonly name: string;
  readonly apiVersion: string | undefined;
}

interface OfResource {
  readonly name: string;
  readonly targetAverageUtilization: number | undefined;
  readonly targetAverageValue: string | undefined;
}

interface CurrentOfResource {
  readonly name: string;
  readonly currentAverageUtilization: number | undefined;
  readonly currentAverageValue: string;
}

interface OfContainer {
  readonly container: string;
}

/** A metric and its target. */
export interface KeptMetric {
  readonly type: string;
  readonly object:
    | {
        readonly target: KeptReference;
        readonly metricName: string;
        readonly targetValue: string;
        readonly selector: KeptSelector | undefined;
        readonly averageValue: string | undefined;
      }
    | undefined;
  readonly pods:
    | {
        readonly metricName: string;
        readonly targetAverageValue: string;
        readonly selector: KeptSelector | undefined;
      }
    | undefined;
  readonly resource: OfResource | undefined;
  readonly containerResource: (OfResource & OfContainer) | undefined;
  readonly external:
    | {
        readonly metricName: string;
        readonly metricSelector: KeptSelector | undefined;
        readonly targetValue: string | undefined;
        readonly targetAverageValue: string | undefined;
      }
    | undefined;
}

/** A metric and its value. */
export interface KeptCurrentMetric {
  readonly type: string;
  readonly object:
    | {
        readonly target: KeptReference;
        readonly metricName: string;
        readonly currentValue: string;
        readonly selector: KeptSelector | undefined;
        readonly averageValue: string | undefined;
      }
    | undefined;
  readonly pods:
    | {
        readonly metricName: string;
        readonly currentAverageValue: string;
        readonly selector: KeptSelector | undefined;
      }
    | undefined;
  readonly resource: CurrentOfResource | undefined;
  readonly containerResource: (CurrentOfResource & OfContainer) | undefined;
  readonly external:
    | {
        readonly metricName: string;
        readonly metricSelector: KeptSelector | undefined;
        readonly currentValue: string;
        readonly currentAverageValue: string | undefined;
      }
    | undefined;
}

interface KeptCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string | null;
  readonly reason: string | undefined;
  readonly message: string | undefined;
}

export interface KeptRules {
  readonly StabilizationWindowSeconds: number | null;
  readonly SelectPolicy: string | null;
  readonly Policies:
    | readonly { readonly Type: string; readonly Value: number; readonly PeriodSeconds: number }[]
    | null;
  readonly Tolerance: string | null;
}

interface KeptBehavior {
  readonly ScaleUp: KeptRules | null;
  readonly ScaleDown: KeptRules | null;
}

const selector = struct<KeptSelector>({
  matchLabels: omitempty(texts),
  matchExpressions: omitempty(list(struct({ key: text, operator: text, values: omitempty(list(text)) }))),
});

const reference = struct<KeptReference>({ kind: text, name: text, apiVersion: omitempty(text) });

const resourceTarget = {
  name: text,
  targetAverageUtilization: pointer(int32),
  targetAverageValue: pointer(quantity),
};

const metric = struct<KeptMetric>({
  type: text,
  object: pointer(
    struct({
      target: reference,
      metricName: text,
      targetValue: quantity,
      selector: pointer(selector),
      averageValue: pointer(quantity),
    }),
  ),
  pods: pointer(struct({ metricName: text, targetAverageValue: quantity, selector: pointer(selector) })),
  resource: pointer(struct(resourceTarget)),
  containerResource: pointer(struct({ ...resourceTarget, container: text })),
  external: pointer(
    struct({
      metricName: text,
      metricSelector: pointer(selector),
      targetValue: pointer(quantity),
      targetAverageValue: pointer(quantity),
    }),
  ),
});

const resourceUse = { name: text, currentAverageUtilization: pointer(int32), currentAverageValue: quantity };

const currentMetric = struct<KeptCurrentMetric>({
  type: text,
  object: pointer(
    struct({
      target: reference,
      metricName: text,
      currentValue: quantity,
      selector: pointer(selector),
      averageValue: pointer(quantity),
    }),
  ),
  pods: pointer(struct({ metricName: text, currentAverageValue: quantity, selector: pointer(selector) })),
  resource: pointer(struct(resourceUse)),
  containerResource: pointer(struct({ ...resourceUse, container: text })),
  external: pointer(
    struct({
      metricName: text,
      metricSelector: pointer(selector),
      currentValue: quantity,
      currentAverageValue: pointer(quantity),
    }),
  ),
});

const condition = struct<KeptCondition>({
  type: text,
  status: text,
  lastTransitionTime: time,
  reason: omitempty(text),
  message: omitempty(text),
});

const scalingRules = struct<KeptRules>({
  StabilizationWindowSeconds: nullable(int32),
  SelectPolicy: nullable(text),
  Policies: nullable(list(struct({ Type: text, Value: int32, PeriodSeconds: int32 }))),
  Tolerance: nullable(quantity),
});

const behavior = struct<KeptBehavior>({ ScaleUp: nullable(scalingRules), ScaleDown: nullable(scalingRules) });

export const METRICS: GoType<readonly KeptMetric[]> = list(metric);
export const CURRENT_METRICS: GoType<readonly KeptCurrentMetric[]> = list(currentMetric);
export const CONDITIONS: GoType<readonly KeptCondition[]> = list(condition);
export const BEHAVIOR: GoType<KeptBehavior> = behavior;
