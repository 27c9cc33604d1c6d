// The public names. Function libraries are in `@celadon/cel/lib`, protobuf messages in `@celadon/cel/proto`.

export { displayIssues, positionOf } from "./ast/display.ts";
export type { Ast, Expr } from "./ast/expr.ts";
export type { Issue } from "./ast/issue.ts";
export type { Position, Source, Span } from "./ast/source.ts";
export type { Checked, Reference } from "./check/checked.ts";
export type { Validator } from "./check/validators.ts";
export { type EstimateOptions, estimateCost, estimateNodes } from "./cost/estimate.ts";
export type { CostFormula, Estimate, Range, SizedArg } from "./cost/formula.ts";
export type { SizeEstimator } from "./cost/sizes.ts";
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
export { fn, type Library, method, type Overload } from "./lib/library.ts";
export type { Recorder, Variables } from "./run/frame.ts";
export { type EvaluateOptions, type Mode, type Outcome, Program } from "./run/program.ts";
export type { Constant, Field, StructType, TypeProvider } from "./types/provider.ts";
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
} from "./types/type.ts";
export { CelError, celError, type ErrorCode, isError } from "./value/error.ts";
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
