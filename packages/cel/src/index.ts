// The public names that most programs need: environments, programs, values, types, errors, and rows for functions. Each other subject has
// an entry point: `/lib` has the function libraries, `/cost` prices and estimates, `/types` type providers, `/values` helpers for
// implementations of functions, `/ast` the tree and `/canonical` its exchange form. `/explain` has explanations of results, `/format` the
// layout of source, `/proto` protobuf messages, `/regex` RE2, `/net` IP addresses.

export { displayIssue, displayIssues, positionOf } from "./ast/display.ts";
export type { Issue } from "./ast/issue.ts";
export type { Position, Source, Span } from "./ast/source.ts";
export type { Checked } from "./check/checked.ts";
export { standardValidators } from "./check/standard-validators.ts";
export { comprehensionNesting, homogeneousLiterals, type Validator } from "./check/validators.ts";
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
export { fn, type Library, method, type Overload } from "./lib/library.ts";
export type { ExprFactory, Macro } from "./parse/macro.ts";
export type { Parsed } from "./parse/parse.ts";
export type { Recorder, Variables } from "./run/frame.ts";
export { type EvaluateOptions, type EvaluationResult, type Mode, Program } from "./run/program.ts";
export { durationFromString as parseDuration, timestampFromString as parseTimestamp } from "./value/convert.ts";
export { CelError, celError, type ErrorCode, isError } from "./value/error.ts";
export { formatDuration, formatTimestamp } from "./value/time/time.ts";
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
