// @celadon/crd/rules: the validation rules of a schema, evaluated, explained and estimated by themselves.

export { ruleFields, type WrittenRule } from "../definition/expression-fields.ts";
export { type ExplainedRule, explainRules, type RuleExplanation } from "../explain-rules.ts";
export type { CompiledRule } from "../rules/compile-rules.ts";
export { evaluateRules, type RuleNode } from "../rules/evaluate.ts";
export { type CostExplanation, explainCosts, type SuggestedLimit } from "../rules/explain-cost.ts";
export type { RuleObserver, RulePlace } from "../rules/observe.ts";
export type { RuleCost } from "../rules/rule-scope.ts";
export { compileRuleTree } from "../rules/rule-tree.ts";
export type { ValidationRule } from "../schema/json-schema.ts";
