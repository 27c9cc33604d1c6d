// @celadon/simulator/explain: why an outcome came out, as trees, and the fields of an object that decided it.

export { blameOf } from "../explain/blame.ts";
export { type BlamedOutcome, blameFor, isBlamable } from "../explain/blame-for.ts";
export {
  type ExplainedPolicy,
  type ExplainedPolicyKind,
  explainOutcome,
  type OutcomeExplanation,
} from "../explain/explain.ts";
export { failedVariable, messagesAfterTheirs, ruleName } from "../explain/explanation-order.ts";
export { type OpenVariable, oneLine, type TreeLine, treeLines, writtenLines } from "../explain/tree-lines.ts";
export { throughVariables, type VariableTrees, variablesOf, variableTrees } from "../explain/variable-places.ts";
export { type RuleInSchema, rulePath } from "../manifest/rule-path.ts";
