// Coverage of expressions by tests.

export { CoverageCollector, type CoverageData, type RecordedExpression } from "./collector.ts";
export { coverageHtml } from "./html.ts";
export { coverageDocument } from "./json.ts";
export { coverageLcov } from "./lcov.ts";
export type { PointKind, Want } from "./points.ts";
export {
  type CoverageCount,
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
