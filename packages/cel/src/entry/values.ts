// @celadon/cel/values: reading, comparing and printing values of any type, as implementations of functions need it, and counting their
// work so that a deadline can end them.

export { isDouble, isInt, isList, isMap, isUint } from "../value/box.ts";
export { type AnyMap, mapFind, mapKeys, mapSize } from "../value/collection/any-map.ts";
export { isNativeStrings, type List, listGet, listSize, nativeStrings, toArray } from "../value/collection/list.ts";
export { CelMap } from "../value/collection/map.ts";
export { compare } from "../value/compare.ts";
export { addValues } from "../value/dynamic.ts";
export { equal } from "../value/equal.ts";
export { noSuchKey, noSuchOverload } from "../value/error.ts";
export { notFromHost } from "../value/reopen.ts";
export { ownKeysOf } from "../value/size/measure.ts";
export { isTooLargeToWrite } from "../value/size/parts.ts";
export { grow, walk, work } from "../value/size/work.ts";
export { type Tagged, taggedValue } from "../value/tagged.ts";
export { formatValue } from "../value/text/format-go.ts";
export { quoteText } from "../value/text/quote-text.ts";
export { findText } from "../value/text/text-search.ts";
export { durationFromNanos, durationToNanos } from "../value/time/time.ts";
export { formatGoDuration } from "../value/time/time-format.ts";
export { typeOf } from "../value/type-of.ts";
