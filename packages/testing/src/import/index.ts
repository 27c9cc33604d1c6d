// Suites and policies of other tools.

export { FOREIGN_DIRECTORIES, foreignTool, importSuite, mayBeForeign } from "./detect.ts";
export type {
  DocumentLoader,
  Imported,
  ImportReading,
  LoadedDocuments,
  PlacedProblem,
  Said,
  SkippedCase,
  Tool,
} from "./imported.ts";
export {
  type ConversionProblem,
  type ConvertedPolicy,
  type PolicyConversion,
  type PolicySource,
  type ProblemCode,
  sourceText,
} from "./policies/converted.ts";
export { constraintKind, convertTemplate, isConstraint, isTemplate } from "./policies/gatekeeper.ts";
export { convertPolicy } from "./policies/index.ts";
export type { KnownKind } from "./policies/kyverno-kinds.ts";
export { paramDefinitions } from "./policies/param-definition.ts";
export { type ImportedResult, isImported, runImported } from "./run-imported.ts";
export { type SuiteDocument, suiteDocument } from "./to-document.ts";
