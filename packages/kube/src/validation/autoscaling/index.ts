// The autoscaling group.

import type { AnyKindRules } from "../rules.ts";
import { horizontalPodAutoscaler } from "./horizontal-pod-autoscaler.ts";

export const KINDS: readonly AnyKindRules[] = [horizontalPodAutoscaler];
