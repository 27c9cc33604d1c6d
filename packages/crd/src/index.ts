// CustomResourceDefinitions with validation rules, as kube-apiserver accepts, costs and enforces them. By subject: `/rules` has the rules
// of a schema with their costs and explanations, `/upgrade` the effects of a changed definition on objects, `/write` the steps of a write.

export {
  type AcceptObjectOptions,
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
  DefinitionVersion,
  PrinterColumn,
} from "./definition/definition.ts";
export { readDefinition, schemaOf } from "./definition/read-definition.ts";
export { validateDefinition, validateDefinitionUpdate } from "./definition/validate-definition.ts";
export { prepareDefinition } from "./prepare.ts";
export {
  type CompileDefinitionOptions,
  CustomResourceType,
  ResourceVersion,
  type ValidateObjectOptions,
} from "./resource.ts";
export type { JsonSchema } from "./schema/json-schema.ts";
export { knownFormat } from "./value/string-formats.ts";
export { type ValidatorOptions, ValueValidator } from "./value/validator.ts";
