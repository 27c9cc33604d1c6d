// Every expression of a policy with the value and cost of its parts.

export { expressionList, expressionPath } from "../evaluate/expression-path.ts";
export type { EvaluationObserver, ExpressionPlace, ExpressionResult } from "../evaluate/expressions.ts";
export {
  type ExplainedExpression,
  ExplainingObserver,
  type Explanation,
  explain,
  type OwnedExpression,
} from "../explain.ts";
