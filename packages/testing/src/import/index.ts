// Suites and policies of other tools.

export { FOREIGN_DIRECTORIES, foreignTool, importSuite, mayBeForeign } from "./detect.ts";
export {
  type DocumentLoader,
  type Imported,
  type ImportReading,
  type LoadedDocuments,
  type PlacedProblem,
  type Said,
  type SkippedCase,
  TOOLS,
  type Tool,
} from "./imported.ts";
export {
  type Conversion,
  type ConversionProblem,
  type ConvertedPolicy,
  type PolicySource,
  type ProblemCode,
  sourceText,
} from "./policies/converted.ts";
export { convertTemplate, isConstraint, isTemplate } from "./policies/gatekeeper.ts";
export { convertPolicy } from "./policies/index.ts";
export { type ImportedResult, isImported, runImported } from "./run-imported.ts";
