// The policy group.

import type { AnyActionRules, AnyKindRules } from "../rules.ts";
import { eviction } from "./eviction.ts";
import { podDisruptionBudget } from "./pod-disruption-budget.ts";

export const KINDS: readonly AnyKindRules[] = [podDisruptionBudget];
export const ACTIONS: readonly AnyActionRules[] = [eviction];
