// @celadon/cel/values: reading, comparing and printing values of any type, as implementations of functions need it, and counting their
// work so that a deadline can end them.

export { type AnyMap, mapFind, mapKeys, mapSize } from "../value/any-map.ts";
export { isDouble, isInt, isList, isMap, isUint } from "../value/box.ts";
export { compare } from "../value/compare.ts";
export { addValues } from "../value/dynamic.ts";
export { equal } from "../value/equal.ts";
export { noSuchKey, noSuchOverload } from "../value/error.ts";
export { formatValue } from "../value/format-go.ts";
export { isNativeStrings, type List, listGet, listSize, nativeStrings, toArray } from "../value/list.ts";
export { CelMap } from "../value/map.ts";
export { ownKeysOf } from "../value/measure.ts";
export { isTooLargeToWrite } from "../value/parts.ts";
export { quoteText } from "../value/quote-text.ts";
export { notFromHost } from "../value/reopen.ts";
export { type Tagged, taggedValue } from "../value/tagged.ts";
export { findText } from "../value/text-search.ts";
export { durationFromNanos, durationToNanos } from "../value/time.ts";
export { formatGoDuration } from "../value/time-format.ts";
export { typeOf } from "../value/type-of.ts";
export { grow, walk, work } from "../value/work.ts";
