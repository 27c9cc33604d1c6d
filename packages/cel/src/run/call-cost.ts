// Which formula a call is charged by: that of its overload, or, when several fit, the one its name has.

import type { CostFormula } from "../cost/formula.ts";
import type { CallStep } from "../plan/step.ts";

/** Undefined is a cost of 1. */
export function callCost({ overload, candidates }: CallStep): CostFormula | undefined {
  if (overload !== undefined) return overload.cost;
  const [first] = candidates;
  return first?.costByName ? (first.nameCost ?? first.cost) : undefined;
}
