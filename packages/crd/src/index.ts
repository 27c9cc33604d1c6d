// CustomResourceDefinitions with validation rules, as kube-apiserver accepts, costs and enforces them.

export { deepEqual, type JsonObject } from "@celadon/base";
export {
  type AdmitOptions,
  type Admitted,
  acceptDefinition,
  admitCreate,
  admitDefinition,
  admitStatusUpdate,
  admitUpdate,
  definitionWarnings,
} from "./admit.ts";
export type {
  Conversion,
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionNames,
  DefinitionSpec,
  DefinitionStatus,
  DefinitionVersion,
  PrinterColumn,
  ScaleSubresource,
  SelectableField,
  Subresources,
  WebhookClientConfig,
} from "./definition/definition.ts";
export { ruleFields, type WrittenRule } from "./definition/expression-fields.ts";
export { type ReadDefinition, readDefinition, schemaOf, type UnreadDefinition } from "./definition/read-definition.ts";
export {
  type DefinitionObserver,
  type ValidateDefinitionOptions,
  validateDefinition,
  validateDefinitionUpdate,
} from "./definition/validate-definition.ts";
export type { DecodedObject, FieldValidation } from "./object/decode.ts";
export { dropNulls, fillDefaults } from "./object/fill-defaults.ts";
export { prune } from "./object/prune.ts";
export { type Scale, toScale, withReplicas } from "./object/scale.ts";
export { prepareDefinition } from "./prepare.ts";
export {
  type CompileOptions,
  type Convert,
  CustomResourceType,
  type Findings,
  ResourceVersion,
  type ValidateOptions,
} from "./resource.ts";
export type { CompiledRule, RuleOptions } from "./rules/compile-rules.ts";
export { type EvaluationInput, evaluateRules, type RuleNode, type RuleResult } from "./rules/evaluate.ts";
export {
  type BoundedField,
  type CostExplanation,
  type ExpressionCost,
  explainCosts,
  expressionCosts,
  type SizeKeyword,
  type UnboundedField,
} from "./rules/explain-cost.ts";
export {
  type ExplainedRule,
  explainRules,
  objectPath,
  RuleExplainer,
  type RuleExplanation,
} from "./rules/explain-rules.ts";
export type { RuleObserver, RulePlace } from "./rules/observe.ts";
export type { RuleCost } from "./rules/rule-scope.ts";
export { compileRuleTree } from "./rules/rule-tree.ts";
export type { JsonSchema, ValidationRule } from "./schema/json-schema.ts";
export type { CostChange, SchemaCosts } from "./upgrade/compare-costs.ts";
export {
  compareDefinitions,
  type DefinitionComparison,
  type VersionComparison,
} from "./upgrade/compare-definitions.ts";
export { compareRules, type RuleChange } from "./upgrade/compare-rules.ts";
export { compareSchemas, type SchemaChange } from "./upgrade/compare-schemas.ts";
export { compareVersions, type VersionChange } from "./upgrade/compare-versions.ts";
export {
  checkUpgrade,
  type IgnoredObject,
  type ObjectUpgrade,
  type UpgradeOptions,
  type UpgradeReport,
} from "./upgrade.ts";
export { knownFormat } from "./value/string-formats.ts";
export { type ValidatorOptions, ValueValidator } from "./value/validator.ts";
export {
  type DecodedWrite,
  decodeWrite,
  type FinishedWrite,
  finishWrite,
  prepareWrite,
  strictStatus,
  validateWrite,
  type Write,
  writeWarnings,
} from "./write.ts";
