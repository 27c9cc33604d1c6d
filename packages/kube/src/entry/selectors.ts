// Label and field selectors: parsed, validated and matched.

export { type FieldRequirement, FieldSelector, type Fields, parseFieldSelector } from "../selector/field-selector.ts";
export { parseLabelRequirements } from "../selector/label-parser.ts";
export {
  LabelSelector,
  type LabelSelectorObject,
  type LabelSelectorRequirement,
  parseLabelSelector,
  toLabelSelector,
  validateLabelSelector,
  validateLabels,
} from "../selector/label-selector.ts";
export { type Labels, type Requirement, requirementText, type SelectorOperator } from "../selector/requirement.ts";
