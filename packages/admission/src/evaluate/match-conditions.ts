// Match conditions: all are evaluated; a false one decides, even if others failed; an error counts only if none is false. The same
// conditions guard policies and webhooks. Upstream: apiserver pkg/admission/plugin/webhook/matchconditions.

import type { EvaluateOptions } from "@celadon/cel";
import { RuntimeCELCostBudgetMatchConditions } from "@celadon/kube-cel";
import type { CompiledRules } from "../compile/compile.ts";
import type { Refusal } from "../match/refusal.ts";
import type { FailurePolicy } from "../policy.ts";
import { type EvaluationObserver, evaluateGroup, type GroupResult } from "./expressions.ts";
import type { Activation, LazyVariables } from "./variables.ts";

export type ConditionsOutcome =
  | { readonly matched: true; readonly cost: number }
  | { readonly matched: false; readonly refusal: Refusal; readonly cost: number }
  /** `index` is the first condition that failed, or the one for which the budget did not suffice. */
  | { readonly matched: "error"; readonly message: string; readonly index: number; readonly cost: number };

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
  if (group.failure !== undefined) {
    return failed(group.failure, Math.min(group.results.length, conditions.length - 1), failurePolicy, cost);
  }
  const index = group.results.findIndex((result) => result?.value === false);
  if (index !== -1)
    return { matched: false, refusal: { by: "matchCondition", name: conditions[index]!.name, index }, cost };
  const message = aggregate(group);
  if (message === undefined) return { matched: true, cost };
  const first = group.results.findIndex((result) => result?.error !== undefined);
  return failed(message, first, failurePolicy, cost);
}

function failed(message: string, index: number, failurePolicy: FailurePolicy, cost: number): ConditionsOutcome {
  if (failurePolicy === "Ignore") return { matched: false, refusal: { by: "matchConditionError", message }, cost };
  return { matched: "error", message, index, cost };
}

// One distinct text stands alone, several are listed.
function aggregate({ results }: GroupResult): string | undefined {
  const texts = new Set<string>();
  for (const result of results) if (result?.error !== undefined) texts.add(result.error);
  if (texts.size === 0) return undefined;
  const [first] = texts;
  return texts.size === 1 ? first : `[${[...texts].join(", ")}]`;
}
