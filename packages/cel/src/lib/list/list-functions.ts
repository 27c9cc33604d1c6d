// The computations of the lists library. Lists are arrays or ListValues; results are arrays, or the list itself where nothing changes.

import { isList } from "../../value/box.ts";
import { type List, listGet, listIterate, listSize, toArray } from "../../value/collection/list.ts";
import { compare } from "../../value/compare.ts";
import { CelError, celError } from "../../value/error.ts";
import { growBy, work } from "../../value/size/work.ts";
import { receiverError } from "../../value/traits.ts";
import type { Int, Type } from "../../value/type.ts";
import { bareTypeOf, typeName, typeOf } from "../../value/type-of.ts";
import { Double, Duration, ListValue, Timestamp, Uint, type Value } from "../../value/value.ts";
import { goSort } from "./go-sort.ts";
import { Membership } from "./membership.ts";

export function slice(list: List, start: Int, end: Int): readonly Value[] | CelError {
  const size = listSize(list);
  const refuse = (why: string): CelError => celError("invalid_argument", `cannot slice(${start}, ${end}), ${why}`);
  if (start < 0 || end < 0) return refuse("negative indexes not supported");
  if (start > end) return refuse("start index must be less than or equal to end index");
  if (end > size) return refuse(`list is length ${size}`);
  growBy(Number(end) - Number(start));
  const result: Value[] = [];
  for (let i = Number(start); i < Number(end); i++) result.push(listGet(list, i));
  return result;
}

/** Deeper data than any parser accepts is cyclic data. */
const MAX_DEPTH = 1000;

/** Without a depth one level is opened. Lists that are flat already are welcome, so this row guards its arguments itself. */
export const flatten = (...args: readonly Value[]): readonly Value[] | CelError => flattened(args, typeOf);

/** The same with the types of releases before cel-go 0.29 in its error. */
export const flattenBefore29 = (...args: readonly Value[]): readonly Value[] | CelError => flattened(args, bareTypeOf);

function flattened(args: readonly Value[], typeIn: (value: Value) => Type): readonly Value[] | CelError {
  const [list, depth = 1] = args;
  if (!isList(list) || (typeof depth !== "number" && typeof depth !== "bigint")) {
    const [receiver, ...rest] = args.map((arg) => String(typeIn(arg)));
    return celError("no_such_overload", `no such overload: ${receiver}.flatten(${rest.join(", ")})`);
  }
  if (depth < 0) return celError("invalid_argument", "level must be non-negative");
  const result: Value[] = [];
  const complete = flattenInto(result, list, Number(depth), MAX_DEPTH);
  return complete ? result : celError("internal", `lists nested deeper than ${MAX_DEPTH} levels cannot be flattened`);
}

function flattenInto(result: Value[], list: List, depth: number, limit: number): boolean {
  if (limit === 0) return false;
  for (const elem of listIterate(list)) {
    growBy(1);
    if (depth === 0 || !isList(elem)) result.push(elem);
    else if (!flattenInto(result, elem, depth - 1, limit - 1)) return false;
  }
  return true;
}

export function reverse(list: List): readonly Value[] {
  growBy(listSize(list));
  return [...toArray(list)].reverse();
}

/** Keeps the first of equal elements. */
export function distinct(list: List): readonly Value[] | ListValue {
  if (listSize(list) === 0) return list;
  growBy(listSize(list));
  const seen = new Membership();
  const result: Value[] = [];
  for (const elem of listIterate(list)) {
    if (seen.has(elem)) continue;
    seen.add(elem);
    result.push(elem);
  }
  return result;
}

export function sort(list: Value): Value | CelError {
  return isList(list) ? sortByKeys(list, list) : receiverError("sort", list);
}

/** `list.@sortByAssociatedKeys(keys)`: the elements of one list in the order of another's. */
export function sortBy(list: Value, keys: Value): List | CelError {
  if (!isList(list) || !isList(keys)) return receiverError("@sortByAssociatedKeys", list);
  return sortByKeys(list, keys);
}

function sortByKeys(list: List, keys: List): List | CelError {
  const size = listSize(list);
  if (size !== listSize(keys)) {
    return celError(
      "invalid_argument",
      "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, " +
        `but got ${size} and ${listSize(keys)} elements respectively`,
    );
  }
  if (size === 0) return list;
  const first = listGet(keys, 0);
  if (first instanceof CelError) return first;
  if (!isComparable(first)) return celError("invalid_argument", "list elements must be comparable");
  const kind = typeName(first);
  growBy(size);
  const keyed = Array.from({ length: size }, (_, i) => ({ key: listGet(keys, i), elem: listGet(list, i) }));
  if (keyed.some(({ key }) => typeName(key) !== kind)) {
    return celError("invalid_argument", "list elements must have the same type");
  }
  // A comparison that fails (NaN) means "not before".
  goSort(keyed, (a, b) => {
    work(stepsOf(a.key));
    return compare(a.key, b.key) === -1;
  });
  return keyed.map(({ elem }) => elem);
}

/** Two long texts or bytes may be alike for long. */
const stepsOf = (key: Value): number =>
  typeof key === "string" || key instanceof Uint8Array ? 10 + key.length / 16 : 10;

function isComparable(value: Value): boolean {
  switch (typeof value) {
    case "boolean":
    case "number":
    case "bigint":
    case "string":
      return true;
    default:
      return (
        value instanceof Double ||
        value instanceof Uint ||
        value instanceof Uint8Array ||
        value instanceof Timestamp ||
        value instanceof Duration
      );
  }
}

/** Up to here `lists.range` is an array; longer ranges are computed element by element, so that asking costs no memory. */
const ARRAY_MAX = 10_000;
/** The longest range there is. */
const RANGE_LIMIT = 1_000_000;
/** Before cel-go 0.29 the reference ran out of memory somewhere beyond this; here it is an error, charged all the same. */
const RANGE_MAX = 10_000_000;

export function rangeList(n: Int): readonly number[] | ListValue | CelError {
  if (n < 0) return celError("invalid_argument", `lists.range: size must be non-negative, got ${n}`);
  if (n > RANGE_LIMIT)
    return celError("invalid_argument", `lists.range: size ${n} exceeds maximum allowed (${RANGE_LIMIT})`);
  return rangeBefore29(n);
}

/** The range of a negative number was empty. */
export function rangeBefore29(n: Int): readonly number[] | ListValue | CelError {
  const size = Math.max(0, Number(n));
  if (size > RANGE_MAX) return new CelError("invalid_argument", `a range of ${n} elements is larger than ${RANGE_MAX}`);
  if (size <= ARRAY_MAX) growBy(size);
  return size <= ARRAY_MAX ? Array.from({ length: size }, (_, i) => i) : new RangeList(size);
}

class RangeList extends ListValue {
  override readonly size: number;
  constructor(size: number) {
    super();
    this.size = size;
  }
  override get(index: number): number {
    return index;
  }
}
