// The public names. Function libraries and what they are priced with are in `@celadon/cel/lib`, protobuf messages in
// `@celadon/cel/proto`, why an expression came to its result in `@celadon/cel/explain`, what value types and cost models of a
// host's own are written with in `@celadon/cel/extend`.

export { displayIssue, displayIssues, positionOf } from "./ast/display.ts";
export type {
  Ast,
  Call,
  Comprehension,
  Expr,
  Ident,
  ListExpr,
  Literal,
  MapEntry,
  MapExpr,
  Select,
  StructExpr,
  StructField,
} from "./ast/expr.ts";
export type { Issue } from "./ast/issue.ts";
export type { Position, Source, Span } from "./ast/source.ts";
export { unparse } from "./ast/unparse.ts";
export { childrenOf, nodesOf, parentsOf, type Visitor, visit } from "./ast/visit.ts";
export { callNode, literalNode, unparseWritten, withChildren, writtenTree } from "./ast/written.ts";
export {
  type CanonicalChecked,
  type CanonicalExpr,
  type CanonicalParsed,
  type CanonicalType,
  checkedFromCanonical,
  checkedToCanonical,
  parsedFromCanonical,
  parsedToCanonical,
} from "./canonical/canonical.ts";
export type { Checked, Declarations, Reference } from "./check/checked.ts";
export { comprehensionNesting, homogeneousLiterals, type Validator } from "./check/validators.ts";
export type { CostFormula, Estimate, Range, SizedArg } from "./cost/formula.ts";
export {
  type Description,
  describe,
  describeLibrary,
  type FunctionDescription,
  type MacroDescription,
} from "./describe.ts";
export {
  type Compilation,
  type CompileOptions,
  createEnv,
  type DataOf,
  Env,
  type EnvOptions,
  IssuesError,
  type Limits,
  PlanIssue,
  type Rejection,
  type ResultOf,
  type VariablesOf,
  type VariableTypes,
} from "./env.ts";
export { type EstimateOptions, estimateCost, estimateNodes } from "./estimate/estimate.ts";
export type { SizedNode, SizeEstimator } from "./estimate/sizes.ts";
export { fn, type Library, method, type Overload } from "./lib/library.ts";
export type { ExprFactory, Macro } from "./parse/macro.ts";
export type { Parsed } from "./parse/parse.ts";
export type { Recorder, Variables } from "./run/frame.ts";
export { type EvaluateOptions, type Mode, type Outcome, Program } from "./run/program.ts";
export type { Constant, Field, StructType, TypeProvider } from "./types/provider.ts";
export { type RecordFields, recordProvider } from "./types/record-provider.ts";
export { durationFromString as parseDuration, timestampFromString as parseTimestamp } from "./value/convert.ts";
export { CelError, celError, type ErrorCode, isError } from "./value/error.ts";
export { formatDuration, formatTimestamp } from "./value/time.ts";
export { type Json, toJson } from "./value/to-json.ts";
export {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  formatType,
  INT,
  type Int,
  type Kind,
  listOf,
  mapOf,
  NULL,
  opaque,
  optionalOf,
  param,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  Type,
  UINT,
  wrapper,
} from "./value/type.ts";
export {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Uint,
  type Value,
} from "./value/value.ts";
