// @celadon/cel/plan: the plan of a checked expression, for evaluators other than the engine's own, and the calls it makes.

export { dispatch, fitsAll, invoke, mismatch } from "../call/dispatch.ts";
export { children } from "../plan/children.ts";
export type {
  Attr,
  CallStep,
  Collect,
  CollectMap,
  Count,
  Equality,
  Fold,
  LoopVars,
  Plan,
  Qualifier,
  Quantifier,
  Root,
  Step,
} from "../plan/step.ts";
