// What rules may cost before and after: each expression, and all of a schema together.

import { FieldPath } from "@celadon/kube";
import { StaticEstimatedCostLimit, StaticEstimatedCRDCostLimit } from "@celadon/kube-cel";
import type { RuleOptions } from "../rules/compile-rules.ts";
import { type ExpressionCost, expressionCosts } from "../rules/explain-cost.ts";
import type { JsonSchema } from "../schema/json-schema.ts";

export interface CostChange {
  /** From the schema: `properties[spec].x-kubernetes-validations[0].rule` */
  readonly path: FieldPath;
  readonly expression: string;
  readonly was?: bigint;
  readonly now?: bigint;
}

export interface SchemaCosts {
  /** Expressions that may cost something else now. */
  readonly expressions: readonly CostChange[];
  readonly total: { readonly was: bigint; readonly now: bigint };
  /** Of one expression, and of all together. */
  readonly limits: { readonly expression: number; readonly total: number };
}

export function compareCosts(
  was: JsonSchema | undefined,
  now: JsonSchema | undefined,
  options: RuleOptions = {},
): SchemaCosts {
  const [before, after] = [costsOf(was, options), costsOf(now, options)];
  const left = new Map<string, ExpressionCost[]>();
  for (const one of before) left.set(keyOf(one), [...(left.get(keyOf(one)) ?? []), one]);
  const expressions: CostChange[] = [];
  for (const one of after) {
    const old = left.get(keyOf(one))?.shift();
    if (old?.total === one.total) continue;
    expressions.push({ ...named(one), ...(old && { was: old.total }), now: one.total });
  }
  for (const one of [...left.values()].flat()) expressions.push({ ...named(one), was: one.total });
  const limits = { expression: StaticEstimatedCostLimit, total: StaticEstimatedCRDCostLimit };
  return { expressions, total: { was: sum(before), now: sum(after) }, limits };
}

function costsOf(schema: JsonSchema | undefined, options: RuleOptions): readonly ExpressionCost[] {
  return schema === undefined ? [] : expressionCosts(schema, FieldPath.root, options);
}

/** The same expression at the same place, whatever its number among the rules there. */
function keyOf({ path, expression }: ExpressionCost): string {
  const { steps } = path;
  return JSON.stringify([steps.slice(0, -2), steps.at(-1), expression]);
}

function named({ path, expression }: ExpressionCost): Pick<CostChange, "path" | "expression"> {
  return { path, expression };
}

function sum(costs: readonly ExpressionCost[]): bigint {
  return costs.reduce((total, one) => total + one.total, 0n);
}
