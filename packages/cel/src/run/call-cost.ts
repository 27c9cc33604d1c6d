// The formula that prices a call: the formula of its overload, or, if several fit, of its name. And when: before the call where its price
// follows from the arguments, so that an unaffordable call is not made.

import type { CostFormula } from "../cost/formula.ts";
import type { CallStep } from "../plan/step.ts";

/** Undefined is a cost of 1. */
export function callCost({ overload, candidates }: CallStep): CostFormula | undefined {
  if (overload !== undefined) return overload.cost;
  const [first] = candidates;
  return first?.costByName ? (first.nameCost ?? first.cost) : undefined;
}

export function isChargedBefore({ fixed, fromArguments }: CostFormula): boolean {
  return fixed !== undefined || fromArguments === true;
}
