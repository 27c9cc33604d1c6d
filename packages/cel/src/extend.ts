// For those who extend the engine: what function libraries, cost models and adapters of a host are written with. Everyday
// users need none of it.

export {
  boxDouble,
  CelObject,
  decodeUtf8,
  encodeUtf8,
  formatFloatV as formatDouble,
  quoteGo as quote,
  utf8Length,
} from "@celadon/base";
export { standardValidators } from "./check/standard-validators.ts";
export { homogeneousLiterals, type Validator } from "./check/validators.ts";
export type { CostFormula, Entries, Estimate, Range, SizedArg } from "./cost/formula.ts";
export {
  costs,
  fixed,
  LIST_BASE,
  lateSizeOf,
  MAP_BASE,
  PATTERN,
  STRUCT_BASE,
  sizeOf,
  TRAVERSAL,
  withSize,
} from "./cost/formulas.ts";
export {
  add,
  EMPTY,
  exactly,
  MAX,
  multiply,
  ONE,
  range,
  scale,
  sum,
  UNKNOWN,
  union,
  wrap,
  ZERO,
} from "./cost/range.ts";
export type { EstimatedCall, EstimateOptions } from "./estimate/estimate.ts";
export type { SizedNode, SizeEstimator } from "./estimate/sizes.ts";
export {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from "./lib/net/address-classes.ts";
export { CidrPrefix, parseCidrPrefix } from "./lib/net/cidr-prefix.ts";
export { IpAddress, ParseFailure, parseIpAddress } from "./lib/net/ip-address.ts";
export {
  compileRegex,
  type Pattern,
  type PatternNode,
  parsePattern,
  type Regex,
  type RegexMatch,
} from "./regex/index.ts";
export { composeProviders } from "./types/compose-provider.ts";
export { type HostType, hostValue } from "./types/host-value.ts";
export { createNamedProvider } from "./types/named-provider.ts";
export type { Constant, Field, StructType, TypeProvider } from "./types/provider.ts";
export { wellKnownTypes } from "./types/well-known.ts";
export { bareDouble, boxUint, isDouble, isInt, isList, isMap, isPlainObject, isUint } from "./value/box.ts";
export { compare } from "./value/compare.ts";
export { contains } from "./value/contains.ts";
export { durationFromString, timestampFromInt, timestampFromString } from "./value/convert.ts";
export { addValues } from "./value/dynamic.ts";
export { equal } from "./value/equal.ts";
export { noSuchKey, noSuchOverload } from "./value/error.ts";
export { formatValue } from "./value/format-go.ts";
export { MAX_INT, MIN_INT } from "./value/int.ts";
export { concatLists, type List, listGet, listSize, toArray } from "./value/list.ts";
export { type AnyMap, CelMap, mapFind, mapKeys, mapSize } from "./value/map.ts";
export { notFromHost } from "./value/reopen.ts";
export { codePointCount, costSize, ownSize } from "./value/size.ts";
export { type Tagged, taggedValue } from "./value/tagged.ts";
export { durationFromNanos, durationToNanos, formatTimestamp } from "./value/time.ts";
export { formatGoDuration } from "./value/time-format.ts";
export type { Adapter } from "./value/type.ts";
export { abstractStruct, LIST, MAP, typeOfType } from "./value/type.ts";
export { typeName, typeOf } from "./value/type-of.ts";
