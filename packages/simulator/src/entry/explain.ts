// @celadon/simulator/explain: why an outcome came out, as trees, and the fields of an object that decided it.

export { blameOf } from "../blame.ts";
export { type BlamedOutcome, blameFor, isBlamable } from "../blame-for.ts";
export { type ExplainedPolicy, explainOutcome, type OutcomeExplanation, type PolicyKind } from "../explain.ts";
export { failedVariable, messagesAfterTheirs, ruleName } from "../explanation-order.ts";
export { type RuleInSchema, rulePath } from "../rule-path.ts";
export { type OpenVariable, oneLine, type TreeLine, treeLines, writtenLines } from "../tree-lines.ts";
export { throughVariables, type VariableTrees, variablesOf, variableTrees } from "../variable-places.ts";
