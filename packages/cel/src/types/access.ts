// Reading fields, keys and elements of boxed values. Plain objects are read by own property only, so `__proto__` and
// `constructor` are ordinary, absent keys.

import { boxDouble, CelObject } from "@celadon/base";
import { isList, isMap, isPlainObject } from "../value/box.ts";
import { isDataKey, property } from "../value/data-property.ts";
import { CelError, indexOutOfBounds, isError, noSuchKey, noSuchOverload } from "../value/error.ts";
import { inUintRange, isSmallBigint, toInt } from "../value/int.ts";
import { formatValue } from "../value/text/format-go.ts";
import { MAX_TIMESTAMP_SECONDS, MIN_TIMESTAMP_SECONDS } from "../value/time/time-range.ts";
import type { Type } from "../value/type.ts";
import { goTypeName, typeName } from "../value/type-of.ts";
import { Double, ListValue, MapValue, Optional, StructValue, Timestamp, Uint, type Value } from "../value/value.ts";
import type { Field } from "./provider.ts";

/** `target[key]` or `target.key`; undefined when there is no such key or element. */
export function find(target: Value, key: Value): Value | CelError | undefined {
  if (typeof target !== "object" || target === null) return undefined;
  if (Array.isArray(target)) return findInArray(target, key);
  if (target instanceof CelObject) return findInObject(target, key);
  return typeof key === "string" ? property(target, key) : undefined;
}

/** An element, or a property that a host has put on the array. */
function findInArray(target: readonly Value[], key: Value): Value | CelError | undefined {
  const named = typeof key === "string" && isDataKey(key) ? property(target, key) : undefined;
  return named === undefined ? elementAt(target, target.length, key) : named;
}

function findInObject(target: CelObject, key: Value): Value | CelError | undefined {
  if (target instanceof MapValue) return target.find(key);
  if (target instanceof ListValue) return elementAt(target, target.size, key);
  if (target instanceof StructValue) return typeof key === "string" ? structField(target, key) : noSuchOverload();
  return target instanceof CelError ? target : undefined;
}

function structField(target: StructValue, name: string): Value | CelError | undefined {
  const present = target.has(name);
  if (isError(present)) return present;
  return present ? target.get(name) : undefined;
}

function elementAt(list: readonly Value[] | ListValue, size: number, key: Value): Value | CelError | undefined {
  const index = indexOf(key);
  if (isError(index)) return index;
  if (index < 0 || index >= size) return undefined;
  if (list instanceof ListValue) return list.get(index, key);
  const element = list[index];
  return element === undefined ? null : element; // a hole in a sparse array
}

/** A list index from an int, or from a uint or double that is one. Out of range is not out of bounds: it is no index. */
function indexOf(key: Value): number | CelError {
  if (typeof key === "number") return Number.isInteger(key) && Math.abs(key) < 2 ** 63 ? key : noIndex(key);
  if (key instanceof Double) return key.value;
  if (typeof key === "bigint") return isSmallBigint(key) ? Number(key) : -1;
  if (key instanceof Uint) return typeof key.value === "number" ? key.value : key.value < 2n ** 63n ? -1 : noIndex(key);
  return new CelError("invalid_argument", `unsupported index type '${typeName(key)}' in list`);
}

function noIndex(key: Value): CelError {
  return new CelError("invalid_argument", `unsupported index value ${formatValue(key)} in list`);
}

/** Whether a value may be an index or key: a scalar other than null, bytes or a time. */
export function isQualifier(key: Value): boolean {
  switch (typeof key) {
    case "string":
    case "number":
    case "bigint":
    case "boolean":
      return true;
    default:
      return key instanceof Double || key instanceof Uint;
  }
}

/** An index of another kind, with the name the reference's host language has for it. */
export function invalidQualifier(goType: string): CelError {
  return new CelError("invalid_argument", `invalid qualifier type: ${goType}`);
}

/** The name of data that the reference has not wrapped yet. */
export function goDataName(value: Value): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  return isPlainObject(value) ? "map[string]interface {}" : goTypeName(value);
}

/** The value under a key, or the error that it is missing. */
export function get(target: Value, key: Value): Value | CelError {
  if (target instanceof StructValue) return typeof key === "string" ? target.get(key) : noSuchOverload();
  const value = find(target, key);
  return value === undefined ? missing(target, key) : value;
}

export function missing(target: Value, key: Value): CelError {
  if (Array.isArray(target) || target instanceof ListValue) return indexOutOfBounds(formatValue(key));
  return noSuchKey(formatValue(key));
}

/** `has(target.name)`. */
export function has(target: Value, key: Value): boolean | CelError {
  if (target instanceof StructValue) return typeof key === "string" ? target.has(key) : noSuchOverload();
  const value = find(target, key);
  return isError(value) ? value : value !== undefined;
}

/** Reads a value without fields or elements by the specification: an error, not absence. */
export function findSpecified(target: Value, key: Value): Value | CelError | undefined {
  return hasParts(target) ? find(target, key) : missing(target, key);
}
export function hasSpecified(target: Value, key: Value): boolean | CelError {
  return hasParts(target) ? has(target, key) : missing(target, key);
}
const hasParts = (target: Value): boolean =>
  isMap(target) || isList(target) || target instanceof StructValue || target instanceof Optional || isError(target);

/** A field that the provider of a struct type gave: by its property, or through its accessors. */
export function getField(target: Value, field: Field): Value | CelError {
  if (field.key === undefined && field.get) return field.get(target);
  if (target instanceof StructValue) return target.get(field.name);
  const value = findByKey(target, field);
  return value === undefined ? noSuchKey(field.name) : value;
}

/** Plain objects have the property, the engine's own maps answer to the name. */
function findByKey(target: Value, field: Field): Value | CelError | undefined {
  if (target instanceof MapValue || field.viewed) return find(target, field.name);
  const value = find(target, field.key ?? field.name);
  return value === null && field.nullIsAbsent ? undefined : value;
}

/** The same for optional selection: undefined when the field is not set. */
export function findField(target: Value, field: Field): Value | CelError | undefined {
  if (target instanceof MapValue && (field.key !== undefined || !field.has)) return target.find(field.name);
  const present = hasField(target, field);
  if (present !== true) return isError(present) ? present : undefined;
  return getField(target, field);
}

export function hasField(target: Value, field: Field): boolean | CelError {
  if (field.key === undefined && field.has) return field.has(target);
  if (target instanceof StructValue) return target.has(field.name);
  const value = findByKey(target, field);
  return isError(value) ? value : value !== undefined;
}

/**
 * Data read under a declared type becomes a value of that type: a plain number is a double where a double is declared,
 * a Date a timestamp. Types with an adapter convert in their own way.
 */
export function coerce(type: Type, raw: Value): Value | CelError {
  if (type.adapter) return type.adapter.toValue(raw);
  switch (type.kind) {
    case "double":
      if (typeof raw === "number") return boxDouble(raw);
      return typeof raw === "bigint" ? boxDouble(Number(raw)) : raw;
    case "uint":
      return typeof raw === "number" || typeof raw === "bigint" ? uintOf(raw) : raw;
    case "timestamp":
      return raw instanceof Date ? fromDate(raw) : raw;
    default:
      return raw;
  }
}

/** Whether data of this type, read from other data, needs `coerce`. Parts of a deep value have been converted already. */
export function needsCoercion(type: Type): boolean {
  return type.adapter?.deep !== true && isConverted(type);
}

/** The same for a variable. */
export function isConverted(type: Type): boolean {
  return type.adapter !== undefined || type.kind === "double" || type.kind === "uint" || type.kind === "timestamp";
}

export function uintOf(raw: number | bigint): Uint | CelError {
  const fits = typeof raw === "number" ? Number.isSafeInteger(raw) && raw >= 0 : inUintRange(raw);
  return fits ? new Uint(typeof raw === "number" ? raw : toInt(raw)) : outOfRange(`${raw}`, "uint");
}

function fromDate(date: Date): Timestamp | CelError {
  const ms = date.getTime();
  const seconds = Math.floor(ms / 1000);
  // Also when it is NaN, which no comparison holds for.
  const inRange = seconds >= MIN_TIMESTAMP_SECONDS && seconds <= MAX_TIMESTAMP_SECONDS;
  if (!inRange) return outOfRange(String(date), "timestamp");
  return new Timestamp(seconds, (ms - seconds * 1000) * 1_000_000);
}

/** Data of a host that no value of its declared type is. */
function outOfRange(text: string, type: string): CelError {
  return new CelError("invalid_argument", `${text} is no ${type}`);
}
