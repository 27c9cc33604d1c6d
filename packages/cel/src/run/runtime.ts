// The functions that generated code calls. Every name here is a name in that code; nothing else of the program is visible to it.

import { boxDouble, CelObject } from "@celadon/base";
import { dispatch, fits } from "../call/dispatch.ts";
import {
  coerce,
  find,
  findField,
  findSpecified,
  get,
  getField,
  has,
  hasField,
  hasSpecified,
  isQualifier,
  uintOf,
} from "../types/access.ts";
import { isMap } from "../value/box.ts";
import { mapKeys, mapSize } from "../value/collection/any-map.ts";
import { SHORT_LIST } from "../value/collection/contains.ts";
import { listSize } from "../value/collection/list.ts";
import { apartKey, CelMap, unhashableType } from "../value/collection/map.ts";
import { property } from "../value/data-property.ts";
import { equal } from "../value/equal.ts";
import { CelError, noSuchKey, noSuchOverload, Panic } from "../value/error.ts";
import { addInt, isSmallBigint, mulInt, subInt } from "../value/int.ts";
import { reopen } from "../value/reopen.ts";
import { codePointCount } from "../value/size/measure.ts";
import { costSize } from "../value/size/size.ts";
import { costLimitExceeded, Stop } from "../value/size/stop.ts";
import { grow, growBy, work } from "../value/size/work.ts";
import { includesText } from "../value/text/text-search.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  Timestamp,
  Uint,
  type Value,
} from "../value/value.ts";
import { CHARGED, onePast, STEPS_PER_UNIT } from "./frame.ts";
import { UNSET } from "./interpret/interpret-attr.ts";
import { insertAll } from "./interpret/interpret-loop.ts";
import { rangeError } from "./iterate.ts";

/** The answer of generated code that it cannot finish; the interpreter then does the evaluation. */
export const DEOPT: unique symbol = Symbol("deopt");

/** The cost of one evaluation of generated code, which adds it up in a local variable and checks it in loops. */
export class Meter {
  cost = 0;
  readonly limit: number;
  /** Generated code calls `tick` once it has cost more than this. */
  readonly check: number;

  constructor(limit: number, watched: boolean) {
    this.limit = limit;
    this.check = watched ? Math.min(limit, CHARGED) : limit;
  }
}

/**
 * Looks at the limit and the clock, and answers the cost at which to look again. `last` is the charge just made as a whole; each charge
 * before it was of one, and the first to cross the limit ends the evaluation. `priced` is the part of it that follows from the size of the
 * operands.
 */
function tick(meter: Meter, cost: number, last: number, priced: number): number {
  const { limit } = meter;
  meter.cost = cost;
  if (cost > limit) {
    if (cost - last > limit) meter.cost = onePast(limit);
    throw new Stop(costLimitExceeded());
  }
  work(Math.max(priced, CHARGED) * STEPS_PER_UNIT);
  return Math.min(limit, cost + CHARGED);
}

/** The elements that a one-variable loop visits over something other than an array. */
function rangeItems(range: Value): readonly Value[] | undefined {
  return isMap(range) ? mapKeys(range) : listItems(range);
}

function rangeKeys(range: Value): readonly Value[] | undefined {
  return isMap(range) ? mapKeys(range) : undefined;
}

/** Up to here a list that is not an array is copied into one; longer ones are left to the interpreter, which copies nothing. */
const COPIED_MAX = 100_000;

function listItems(range: Value): readonly Value[] | undefined {
  if (!(range instanceof ListValue)) return undefined;
  if (range.size > COPIED_MAX) throw new RangeError("list is too long to be copied");
  return Array.from({ length: range.size }, (_, i) => range.get(i));
}

/** A key that is not found as it is (NaN, a property without a value) is left to the interpreter, which searches the entries. */
function entryValue(map: Value, key: Value): Value {
  if (!(map instanceof MapValue)) return (map as Record<string, Value>)[key as string];
  const value = map.find(key);
  if (value === undefined) throw new RangeError("no value under a key");
  return value;
}

function toDouble(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof Double) return value.value;
  return typeof value === "bigint" ? Number(value) : undefined;
}

function toUint(value: Value): number | bigint | undefined {
  const boxed = typeof value === "number" || typeof value === "bigint" ? uintOf(value) : value;
  return boxed instanceof Uint ? boxed.value : undefined;
}

/** ⌈0.1 · size⌉ if the other side of a comparison counts as ten or less: 1, or 0 for an empty value. */
function sizeCost(value: Value): number {
  if (typeof value === "string") return value === "" ? 0 : 1;
  if (typeof value !== "object" || value === null) return 1;
  return costSize(value) === 0 ? 0 : 1;
}

function lesserCost(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") {
    const shorter = Math.min(a.length, b.length);
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  }
  return Math.ceil(Math.min(costSize(a), costSize(b)) * 0.1);
}

/** The same for `==`, where a value on the left may have its own cost. */
function equalSizeCost(value: Value): number {
  return value instanceof Opaque ? (value.equalityCost ?? sizeCost(value)) : sizeCost(value);
}

function equalCost(a: Value, b: Value): number {
  return a instanceof Opaque ? (a.equalityCost ?? lesserCost(a, b)) : lesserCost(a, b);
}

const scanCost = (text: string): number =>
  text.length <= 10 ? (text === "" ? 0 : 1) : Math.ceil(codePointCount(text) * 0.1);
const textCost = (text: string): number => (text.length < 10 ? 1 : Math.ceil((1 + codePointCount(text)) * 0.1));
const patternCost = (pattern: string): number => Math.ceil(codePointCount(pattern) * 0.25);

/** JSON's objects, from which a struct or map of a deep type can be read directly. */
function isData(value: Value): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof CelObject) &&
    !(value instanceof Uint8Array)
  );
}

/** The data that a value of a struct type is a view of; undefined for null. */
function dataOf(value: Value): unknown {
  return value instanceof MapValue ? value.data : undefined;
}

/** Whether a list of data has a text, int or bool in it; undefined when that is not all there is in the list. */
function dataIn(list: readonly Value[], value: string | number | bigint | boolean): boolean | undefined {
  if (list.length > SHORT_LIST) work(list.length);
  let plain = true;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (item === value) return true;
    if (typeof item !== typeof value || (typeof item === "number" && !Number.isSafeInteger(item))) plain = false;
  }
  return plain ? false : undefined;
}

/** Whether a list has a text in it. */
function hasText(list: readonly Value[], text: string): boolean {
  if (list.length > SHORT_LIST) work(list.length);
  for (let i = 0; i < list.length; i++) if (list[i] === text) return true;
  return false;
}

function ownData(value: object, key: string): Value {
  return Object.hasOwn(value, key) ? (value as Record<string, Value>)[key] : undefined;
}

const noOverload = (id: number): CelError => noSuchOverload().at(id);
const noAttribute = (name: string): CelError => new CelError("no_such_attribute", `no such attribute(s): ${name}`);

// biome-ignore format: a list of names
export const runtime: Readonly<Record<string, unknown>> = {
  D: DEOPT, EMPTY: Object.freeze([]), UNSET, CelError, CelMap, CelObject, Duration, Opaque, Optional, Panic, Timestamp, Uint,
  addInt, apartKey, subInt, mulInt, boxDouble, codePointCount, coerce, dataIn, dataOf, dispatch, entryValue, equal, equalCost, equalSizeCost, find, findField, fits, get, getField, grow, growBy, has,
  hasField, hasText, includesText, insertAll, isData, isQualifier, isSmallBigint, lesserCost, listItems, listSize, mapSize, noAttribute, noKey: noSuchKey, noOverload, ownData, patternCost, property, rangeError, rangeItems,
  rangeKeys, reopen, scanCost, sizeCost, textCost, tick, toDouble, toUint, unhashableType, work,
};

/** The same where the specification is followed. */
export const specifiedRuntime: Readonly<Record<string, unknown>> = {
  ...runtime,
  find: findSpecified,
  has: hasSpecified,
};
