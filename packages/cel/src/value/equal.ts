// Equality of boxed values, as the reference's types.Equal: different kinds are unequal, numbers compare by value across
// int, uint and double, the left operand's own `equals` decides for library types.
//
// Inside lists and maps a comparison that errors is neither equal nor unequal and is skipped. Nesting is limited, so
// that cyclic data ends in an error instead of a full stack. Values may share parts, and be the same part many times over: long
// comparisons remember which pairs they have found equal.

import { isPlainObject, type PlainObject } from "./box.ts";
import { mapFind, mapKeys, mapSize } from "./collection/any-map.ts";
import { type List, listGet, listSize } from "./collection/list.ts";
import { CelError } from "./error.ts";
import { LOOKUPS, ownKeysOf } from "./size/measure.ts";
import { work } from "./size/work.ts";
import { Type } from "./type.ts";
import {
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
} from "./value.ts";

/** Deeper than any document a parser accepts, shallow enough for the smallest default stack. */
const MAX_DEPTH = 1000;
const TOO_DEEP = new CelError("internal", `values nested deeper than ${MAX_DEPTH} levels cannot be compared`);

/** Whether two values are equal by `==`: numbers by their value, in all number types. */
export function equal(a: Value, b: Value): boolean | CelError {
  if (typeof a === "string" || typeof a === "boolean") return a === b;
  if (typeof a !== "object" || a === null || compared > 0) return equalAt(a, b, 0);
  compared = 1;
  try {
    return equalAt(a, b, 0);
  } finally {
    if (compared > REMEMBER_AFTER) pairs.clear();
    compared = 0;
  }
}

/** Elements and entries of the comparison under way. */
let compared = 0;
/** The first elements and entries are not counted as work: the price of a comparison is work enough for them. */
const FREE = 64;
/** Comparisons that are longer than this remember pairs of lists and maps that they found equal. */
const REMEMBER_AFTER = 5000;
const pairs = new Map<object, Set<object>>();

/** Whether a list or map of that size was found equal before, already counted. */
function wasEqual(a: object, b: object, size: number): boolean {
  work(size + 1);
  return compared > REMEMBER_AFTER && pairs.get(a)?.has(b) === true;
}

function foundEqual(a: object, b: object): true {
  const known = pairs.get(a);
  if (known === undefined) pairs.set(a, new Set([b]));
  else known.add(b);
  return true;
}

function equalAt(a: Value, b: Value, depth: number): boolean | CelError {
  switch (typeof a) {
    case "number":
    case "bigint":
      return equalNumber(a, b);
    case "object":
      if (a === null) return b === null || b === undefined;
      return b !== null && equalObject(a, b, depth);
    case "undefined":
      return b === null || b === undefined;
    default:
      return a === b;
  }
}

function equalNumber(a: number | bigint, b: Value): boolean {
  if (b instanceof Double || b instanceof Uint) return sameNumber(a, b.value);
  return (typeof b === "number" || typeof b === "bigint") && sameNumber(a, b);
}

/**
 * Two integers compare exactly. An integer beside a double is rounded to a double first, so 9007199254740993 equals
 * 9007199254740993.0. Rounding a bigint cannot make it equal to an int that is a number: those are all safe integers.
 */
function sameNumber(a: number | bigint, b: number | bigint): boolean {
  if (typeof a === typeof b) return a === b;
  return Number(a) === Number(b);
}

function equalObject(a: object, b: Value, depth: number): boolean | CelError {
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(a)) return equalList(a, b, depth);
  if (isPlainObject(a)) return isPlainObject(b) ? equalPlain(a, b, depth) : equalMap(a, b, depth);
  if (a instanceof Double || a instanceof Uint) return equalNumber(a.value, b);
  if (a instanceof ListValue) return a.equals === undefined ? equalList(a, b, depth) : a.equals(b);
  if (a instanceof MapValue) return a.equals === undefined ? equalMap(a, b, depth) : a.equals(b);
  if (a instanceof Opaque || a instanceof StructValue) return a.equals(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Duration) return b instanceof Duration && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Type) return b instanceof Type && a.name === b.name;
  if (a instanceof Optional) {
    if (!(b instanceof Optional)) return false;
    return a.hasValue && b.hasValue ? equalAt(a.value, b.value, depth + 1) : a.hasValue === b.hasValue;
  }
  return a instanceof CelError ? a : a === b;
}

function equalList(a: List, b: Value, depth: number): boolean | CelError {
  if (!Array.isArray(b) && !(b instanceof ListValue)) return false;
  const size = listSize(a);
  if (size !== listSize(b)) return false;
  if ((compared += size + 1) >= FREE && wasEqual(a, b, size)) return true;
  for (let i = 0; i < size; i++) {
    const same = equalAt(listGet(a, i), listGet(b, i), depth + 1);
    if (same === false || same === TOO_DEEP) return same;
  }
  return compared <= REMEMBER_AFTER || foundEqual(a, b);
}

function equalMap(a: PlainObject | MapValue, b: Value, depth: number): boolean | CelError {
  if (!(b instanceof MapValue) && !isPlainObject(b)) return false;
  const size = mapSize(a);
  if (size !== mapSize(b)) return false;
  if ((compared += size + 1) >= FREE && wasEqual(a, b, size)) return true;
  for (const key of a instanceof MapValue ? a.keys() : mapKeys(a)) {
    const right = mapFind(b, key);
    if (right === undefined) return false;
    const same = equalAt(mapFind(a, key), right, depth + 1);
    if (same === false || same === TOO_DEEP) return same;
  }
  return compared <= REMEMBER_AFTER || foundEqual(a, b);
}

/** Two plain objects, which is what most of two documents is made of. An undefined value is an absent key. */
function equalPlain(a: PlainObject, b: PlainObject, depth: number): boolean | CelError {
  const keys = ownKeysOf(a);
  if ((compared += keys.length + 1) >= FREE && wasEqual(a, b, keys.length)) return true;
  let size = 0;
  for (let i = 0; i < keys.length; i++) {
    if (i % LOOKUPS === LOOKUPS - 1) work(LOOKUPS);
    const key = keys[i] as string;
    const left = a[key];
    if (left === undefined) continue;
    size++;
    if (!Object.hasOwn(b, key)) return false;
    const right = b[key];
    if (typeof left === "string") {
      if (left !== right) return false;
      continue;
    }
    if (right === undefined) return false;
    const same = equalAt(left, right, depth + 1);
    if (same === false || same === TOO_DEEP) return same;
  }
  return (ownKeysOf(b).length === size || mapSize(b) === size) && (compared <= REMEMBER_AFTER || foundEqual(a, b));
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
