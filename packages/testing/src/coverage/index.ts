// Coverage of expressions by tests.

export { CoverageCollector, type CoverageData, type EvaluatedExpression } from "./collector.ts";
export { coverageHtml } from "./html.ts";
export { coverageDocument } from "./json.ts";
export { coverageLcov } from "./lcov.ts";
export type { PointKind, Want } from "./points.ts";
export {
  type Count,
  type CoveragePlace,
  type CoverageReport,
  type CoveredExpression,
  type CoveredPoint,
  type CoveredResource,
  coverageReport,
  missedOf,
  percentOf,
} from "./report.ts";
export { missingText } from "./words.ts";
export type { CoveredKind } from "./written.ts";
