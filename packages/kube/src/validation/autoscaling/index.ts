// The autoscaling group.

import type { AnyActionRules, AnyKindRules } from "../rules.ts";
import { horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";
import { scale } from "./scale.ts";

export const KINDS: readonly AnyKindRules[] = [horizontalPodAutoscaler];

export const ACTIONS: readonly AnyActionRules[] = [scale];
