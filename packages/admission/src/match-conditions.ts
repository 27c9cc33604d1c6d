// Match conditions: all are evaluated, then a false one decides, whatever else failed; an error counts only when none is false.
// The same conditions guard policies and webhooks. Upstream: apiserver pkg/admission/plugin/webhook/matchconditions.

import type { EvaluateOptions } from "@celadon/cel";
import { RuntimeCELCostBudgetMatchConditions } from "@celadon/kube-cel";
import type { CompiledRules } from "./compile.ts";
import { type EvaluationObserver, evaluateGroup, type GroupResult } from "./expressions.ts";
import type { Refusal } from "./match/refusal.ts";
import type { FailurePolicy } from "./policy.ts";
import type { Activation, LazyVariables } from "./variables.ts";

export type ConditionsOutcome =
  | { readonly matched: true; readonly cost: number }
  | { readonly matched: false; readonly refusal: Refusal; readonly cost: number }
  | { readonly matched: "error"; readonly message: string; readonly cost: number };

export function matchConditions(
  { conditions, failurePolicy, owner }: Pick<CompiledRules, "conditions" | "failurePolicy" | "owner">,
  activation: Activation,
  variables: LazyVariables,
  options?: EvaluateOptions,
  observer?: EvaluationObserver,
): ConditionsOutcome {
  const budget = RuntimeCELCostBudgetMatchConditions;
  const kind = "matchCondition";
  const group = evaluateGroup(conditions, activation, variables, { owner, kind, budget, options, observer });
  const cost = group.failure === undefined ? budget - group.remaining : budget;
  if (group.failure !== undefined) return failed(group.failure, failurePolicy, cost);
  const index = group.results.findIndex((result) => result?.value === false);
  if (index !== -1)
    return { matched: false, refusal: { by: "matchCondition", name: conditions[index]!.name, index }, cost };
  const message = aggregate(group);
  return message === undefined ? { matched: true, cost } : failed(message, failurePolicy, cost);
}

function failed(message: string, failurePolicy: FailurePolicy, cost: number): ConditionsOutcome {
  if (failurePolicy === "Ignore") return { matched: false, refusal: { by: "matchConditionError", message }, cost };
  return { matched: "error", message, cost };
}

// One distinct text stands alone, several are listed.
function aggregate({ results }: GroupResult): string | undefined {
  const texts = new Set<string>();
  for (const result of results) if (result?.error !== undefined) texts.add(result.error);
  if (texts.size === 0) return undefined;
  const [first] = texts;
  return texts.size === 1 ? first : `[${[...texts].join(", ")}]`;
}
