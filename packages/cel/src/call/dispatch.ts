// Calls rows of the libraries with boxed values: decides whether a row fits, unboxes its arguments, and words the error if none fits.

import { boxDouble } from "@celadon/base";
import { bareDouble, isDouble, isInt, isList, isMap, type PlainObject } from "../value/box.ts";
import { firstKey, mapFind } from "../value/collection/any-map.ts";
import { listGet, listSize } from "../value/collection/list.ts";
import { dynamicOperators } from "../value/dynamic.ts";
import { CelError, isError } from "../value/error.ts";
import { toInt } from "../value/int.ts";
import { operandError } from "../value/traits.ts";
import { isOptionalType, type Type } from "../value/type.ts";
import { typeOf } from "../value/type-of.ts";
import {
  Duration,
  type MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Type as TypeClass,
  Uint,
  type Value,
} from "../value/value.ts";
import type { Overload } from "./overload.ts";

/** Whether a value may be passed where `type` is declared. Like upstream, looks only at the first element or entry of a container. */
export function fits(type: Type, value: Value): boolean {
  switch (type.kind) {
    case "dyn":
    case "any":
    case "param":
    case "error":
    case "untyped":
      return true;
    case "bool":
      return typeof value === "boolean";
    case "int":
      return isInt(value);
    case "uint":
      return value instanceof Uint;
    case "double":
      return isDouble(value);
    case "string":
      return typeof value === "string";
    case "bytes":
      return value instanceof Uint8Array;
    case "null":
      return value === null;
    case "duration":
      return value instanceof Duration;
    case "timestamp":
      return value instanceof Timestamp;
    case "list":
      return isList(value) && (listSize(value) === 0 || fits(type.params[0] as Type, listGet(value, 0)));
    case "map":
      return isMap(value) && fitsEntry(type, value);
    case "wrapper":
      return value === null || fits(type.params[0] as Type, value);
    case "type":
      return value instanceof TypeClass;
    case "struct":
      if (value instanceof StructValue || value instanceof Opaque) return value.type.name === type.name;
      return !type.abstract && isMap(value);
    case "opaque":
      if (isOptionalType(type)) return value instanceof Optional;
      return value instanceof Opaque && value.type.name === type.name;
  }
}

function fitsEntry(type: Type, map: PlainObject | MapValue): boolean {
  const [key, value] = type.params as [Type, Type];
  if (isOpen(key) && isOpen(value)) return true;
  const first = firstKey(map);
  return first === undefined || (fits(key, first) && fits(value, mapFind(map, first)));
}

const isOpen = ({ kind }: Type): boolean => kind === "dyn" || kind === "param" || kind === "any";

/** Whether a row takes these arguments. */
export function fitsAll(row: Overload, args: readonly Value[]): boolean {
  const declared = row.args;
  if (declared.length !== args.length) return false;
  if (row.unguarded) return true;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (isError(arg) ? !row.nonStrict : !fits(declared[i] as Type, arg)) return false;
  }
  return true;
}

/** Calls a row whose arguments fit. */
export function invoke(row: Overload, call: NonNullable<Overload["call"]>, args: readonly Value[]): Value | CelError {
  const declared = row.args;
  let bare = args as Value[];
  if (row.unguarded) return call(...args);
  for (let i = 0; i < declared.length; i++) {
    const { kind } = declared[i] as Type;
    const isBigint = kind === "int" && typeof bare[i] === "bigint";
    if (kind !== "double" && kind !== "uint" && !isBigint) continue;
    if (bare === args) bare = args.slice();
    bare[i] = isBigint
      ? toInt(bare[i] as bigint)
      : kind === "double"
        ? bareDouble(bare[i] as number)
        : (bare[i] as Uint).value;
  }
  const result = call(...bare);
  return row.boxedResult ? result : boxResult(row.result, result);
}

function boxResult(type: Type, result: Value): Value | CelError {
  if (type.kind === "double") return typeof result === "number" ? boxDouble(result) : result;
  if (type.kind === "uint") return typeof result === "number" || typeof result === "bigint" ? new Uint(result) : result;
  return result;
}

/** Finds the row of a name that fits the arguments at hand and calls it. */
export function dispatch(name: string, candidates: readonly Overload[], args: readonly Value[]): Value | CelError {
  if (candidates[0]?.operator) {
    const operate = dynamicOperators.get(name);
    if (operate) return operate(args[0], args[1]);
  }
  for (const row of candidates) if (row.call && fitsAll(row, args)) return invoke(row, row.call, args);
  return candidates.some((row) => row.call) ? mismatch(name, candidates, args) : unimplemented(name, args);
}

/** The name cannot be called at all: the name of an unchecked expression, or one that is only declared. */
function unimplemented(name: string, args: readonly Value[]): CelError {
  return new CelError("no_such_overload", `no such overload: ${name}${args.length === 0 ? "()" : ""}`);
}

/** No row fits. Operators say less than other functions. */
export function mismatch(name: string, candidates: readonly Overload[], args: readonly Value[]): CelError {
  if (candidates[0]?.operator) return operandError(name, args[0]);
  const typeIn = candidates[0]?.typeIn ?? typeOf;
  const types = args.map((arg) => typeIn(arg).name).join(", ");
  return new CelError("no_such_overload", `no such overload: ${name}(${types})`);
}
