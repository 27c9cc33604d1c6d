// The costs of rules before and after: each expression, and all of a schema together.

import { FieldPath } from "@celadon/kube/errors";
import { StaticEstimatedCostLimit, StaticEstimatedCRDCostLimit } from "@celadon/kube-cel";
import type { RuleOptions } from "../rules/compile-rules.ts";
import { type ExpressionCost, expressionCosts } from "../rules/explain-cost.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

/** An expression whose cost changes. */
export interface CostChange {
  /** From the schema: `properties[spec].x-kubernetes-validations[0].rule` */
  readonly path: FieldPath;
  readonly expression: string;
  readonly was?: bigint;
  readonly now?: bigint;
}

/** The costs of a schema's rules before and after. */
export interface SchemaCosts {
  /** Expressions that may cost something else now. */
  readonly expressions: readonly CostChange[];
  readonly total: { readonly was: bigint; readonly now: bigint };
  /** The limits of one expression, and of all together. */
  readonly limits: { readonly expression: number; readonly total: number };
}

export function compareCosts(
  was: JsonSchema | undefined,
  now: JsonSchema | undefined,
  options: RuleOptions = {},
): SchemaCosts {
  const [before, after] = [costsOf(was, options), costsOf(now, options)];
  const left = new Map<string, ExpressionCost[]>();
  for (const cost of before) left.set(keyOf(cost), [...(left.get(keyOf(cost)) ?? []), cost]);
  const expressions: CostChange[] = [];
  for (const cost of after) {
    const old = left.get(keyOf(cost))?.shift();
    if (old?.total === cost.total) continue;
    expressions.push({ ...named(cost), ...(old && { was: old.total }), now: cost.total });
  }
  for (const cost of [...left.values()].flat()) expressions.push({ ...named(cost), was: cost.total });
  const limits = { expression: StaticEstimatedCostLimit, total: StaticEstimatedCRDCostLimit };
  return { expressions, total: { was: sum(before), now: sum(after) }, limits };
}

function costsOf(schema: JsonSchema | undefined, options: RuleOptions): readonly ExpressionCost[] {
  return schema === undefined ? [] : expressionCosts(schema, FieldPath.root, options);
}

/** The same expression at the same place, even if its index among the rules there changed. */
function keyOf({ path, expression }: ExpressionCost): string {
  const { steps } = path;
  return JSON.stringify([steps.slice(0, -2), steps.at(-1), expression]);
}

function named({ path, expression }: ExpressionCost): Pick<CostChange, "path" | "expression"> {
  return { path, expression };
}

function sum(costs: readonly ExpressionCost[]): bigint {
  return costs.reduce((total, cost) => total + cost.total, 0n);
}
