// Parts of a plan for older releases of cel-go and older servers: comparisons charged by other sizes, and ranges whose errors are an error
// about the range. Both become calls with a row of their own, so that nothing else needs to know.

import { fn, nonStrict, type Overload } from "../call/overload.ts";
import { fixed, TRAVERSAL } from "../cost/formulas.ts";
import { celError, isError } from "../value/error.ts";
import { hasChange } from "../value/release.ts";
import { costSize, ownSize } from "../value/size/size.ts";
import { DYN } from "../value/type.ts";
import { Opaque, type Value } from "../value/value.ts";
import type { Origins } from "./origin.ts";
import type { PlanOptions, Step } from "./step.ts";

/** The row of `==` or `!=` with the cost of an older server; undefined where that is today's. */
export function olderEquality(row: Overload, { release, statedPrices }: PlanOptions): Overload | undefined {
  const sizesOfOptionals = hasChange(release, "sizesOfOptionals");
  if (sizesOfOptionals && statedPrices) return undefined;
  const size = sizesOfOptionals ? costSize : ownSize;
  const actual = ([a, b]: readonly Value[]): number => {
    if (statedPrices && row.id === "equals" && a instanceof Opaque && a.equalityCost !== undefined)
      return a.equalityCost;
    return Math.ceil(Math.min(size(a), size(b)) * TRAVERSAL);
  };
  return { ...row, cost: { ...row.cost, actual } };
}

/** Whether servers see different sizes of what a step may have: an optional, or a value of a library. */
export function isSizedByServer(step: Step, origins: Origins): boolean {
  switch (step.type.kind) {
    case "opaque":
      return true;
    case "struct":
      return step.type.abstract;
    case "dyn":
    case "any":
    case "param":
      return origins.of(step) === "computed";
    default:
      return false;
  }
}

/** Releases that do not pass errors of ranges on name the type that an error has in Go. */
export const RANGE_OR_ERROR: Overload = nonStrict(
  fn("@range", "range", [DYN], DYN, fixed(0), (range) =>
    isError(range) ? celError("invalid_argument", "unsupported comprehension range type: *types.Err") : range,
  ),
);
