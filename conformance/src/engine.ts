// The engine's public and inner names that the suites use, in one place.

export { boxDouble, formatFloatV, quoteGo } from "@celadon/base";
export { displayIssues } from "../../packages/cel/src/ast/display.ts";
export type { Expr } from "../../packages/cel/src/ast/expr.ts";
export type { Issue } from "../../packages/cel/src/ast/issue.ts";
export type { Source } from "../../packages/cel/src/ast/source.ts";
export { unparse } from "../../packages/cel/src/ast/unparse.ts";
export {
  checkedFromCanonical,
  checkedToCanonical,
  parsedFromCanonical,
  parsedToCanonical,
} from "../../packages/cel/src/canonical/canonical.ts";
export type { Checked } from "../../packages/cel/src/check/checked.ts";
export { printChecked, quoteBytes } from "../../packages/cel/src/check/print.ts";
export { fixed } from "../../packages/cel/src/cost/formulas.ts";
export { createEnv, type Env, PlanIssue } from "../../packages/cel/src/env.ts";
export { bindingsLibrary } from "../../packages/cel/src/lib/bindings.ts";
export { blockLibrary, blockVariables } from "../../packages/cel/src/lib/block.ts";
export { twoVariableLibrary } from "../../packages/cel/src/lib/comprehensions.ts";
export { encodersLibrary } from "../../packages/cel/src/lib/encoders.ts";
export { standardFormatLiterals } from "../../packages/cel/src/lib/format/format-validator.ts";
export { fn, type Library, method, type Overload } from "../../packages/cel/src/lib/library.ts";
export { listsLibrary } from "../../packages/cel/src/lib/lists.ts";
export { mathLibrary } from "../../packages/cel/src/lib/math.ts";
export { networkLibrary } from "../../packages/cel/src/lib/network.ts";
export { optionalLibrary } from "../../packages/cel/src/lib/optional.ts";
export { protosLibrary } from "../../packages/cel/src/lib/protos.ts";
export { regexLibrary } from "../../packages/cel/src/lib/regex.ts";
export { setsLibrary } from "../../packages/cel/src/lib/sets.ts";
export { numericComparisons } from "../../packages/cel/src/lib/standard.ts";
export { stringsLibrary } from "../../packages/cel/src/lib/strings.ts";
export { EXISTS_ONE_ALIAS, STANDARD_MACROS } from "../../packages/cel/src/parse/macros.ts";
export { DEFAULT_PARSE_LIMITS, type Parsed, parse } from "../../packages/cel/src/parse/parse.ts";
export { EnumValue, enumLibrary, fromProto, MessageValue, protoProvider } from "../../packages/cel/src/proto/index.ts";
export type { EvaluationResult } from "../../packages/cel/src/run/program.ts";
export { WELL_KNOWN_TYPES } from "../../packages/cel/src/types/well-known-names.ts";
export { bareDouble } from "../../packages/cel/src/value/box.ts";
export { mapFind, mapKeys } from "../../packages/cel/src/value/collection/any-map.ts";
export { toArray } from "../../packages/cel/src/value/collection/list.ts";
export { CelMap } from "../../packages/cel/src/value/collection/map.ts";
export { equal } from "../../packages/cel/src/value/equal.ts";
export { CelError, isError } from "../../packages/cel/src/value/error.ts";
export { toInt } from "../../packages/cel/src/value/int.ts";
export * from "../../packages/cel/src/value/type.ts";
export { typeOf } from "../../packages/cel/src/value/type-of.ts";
export {
  Duration,
  MapValue,
  Opaque,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from "../../packages/cel/src/value/value.ts";
