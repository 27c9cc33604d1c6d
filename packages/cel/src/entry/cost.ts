// @celadon/cel/cost: the formulas that price functions, ranges of sizes and costs, and the static estimate.

export type { CostFormula, Estimate, Range, SizedArg } from "../cost/formula.ts";
export {
  containment,
  costs,
  elements,
  fixed,
  LIST_BASE,
  lateSizeOf,
  PATTERN,
  regexSearch,
  STRUCT_BASE,
  scan,
  scanLesser,
  scanSum,
  TRAVERSAL,
  withSize,
} from "../cost/formulas.ts";
export { add, exactly, MAX, multiply, ONE, range, scale, UNKNOWN } from "../cost/range.ts";
export { type EstimatedCall, type EstimateOptions, estimateNodes } from "../estimate/estimate.ts";
export type { SizedNode, SizeEstimator } from "../estimate/sizes.ts";
export { ownSize } from "../value/size/size.ts";
