// Operators on boxed values without known static types: the run-time half of overload resolution, by the operands' own kinds. Fast paths
// first; ints and strings are nearly everything policies compute with.
//
// The reference dispatches on the left operand alone, which lets a few things through that the checker would refuse, such as the negation
// of a duration behind dyn().

import { boxDouble, type Order } from "@celadon/base";
import { isDouble, isInt } from "./box.ts";
import { concatBytes } from "./bytes.ts";
import { contains } from "./collection/contains.ts";
import { concatLists } from "./collection/list.ts";
import { compare } from "./compare.ts";
import { equal } from "./equal.ts";
import { CelError } from "./error.ts";
import * as int from "./int.ts";
import { concatTexts } from "./text/concat-texts.ts";
import {
  addDurations,
  addTimestamp,
  negDuration,
  subDurations,
  subTimestamp,
  timestampDifference,
} from "./time/time.ts";
import { operandError } from "./traits.ts";
import type { Int } from "./type.ts";
import { type Double, Duration, ListValue, Timestamp, Uint, type Value } from "./value.ts";

type Outcome = Value | CelError;

interface Arithmetic {
  readonly name: string;
  readonly ofInts: (a: Int, b: Int) => Int | CelError;
  readonly ofUints: (a: Int, b: Int) => Int | CelError;
  readonly ofDoubles?: (a: number, b: number) => number;
}

/** Numbers of one type on both sides; undefined when they are not. */
function arithmetic(op: Arithmetic, a: Value, b: Value): Outcome | undefined {
  if (isInt(a)) return isInt(b) ? op.ofInts(a, b) : undefined;
  if (a instanceof Uint) return b instanceof Uint ? boxUintResult(op.ofUints(a.value, b.value)) : undefined;
  if (op.ofDoubles !== undefined && isDouble(a) && isDouble(b)) return boxDouble(op.ofDoubles(bare(a), bare(b)));
  return undefined;
}

const bare = (x: number | Double): number => (typeof x === "number" ? x : x.value);
const boxUintResult = (n: Int | CelError): Uint | CelError => (n instanceof CelError ? n : new Uint(n));
/** An error among the operands wins over "no such overload". */
const mismatch = (name: string, a: Value, b: Value): CelError =>
  b instanceof CelError && !(a instanceof CelError) ? b : operandError(name, a);

const ADD: Arithmetic = { name: "_+_", ofInts: int.addInt, ofUints: int.addUint, ofDoubles: (a, b) => a + b };
const SUB: Arithmetic = { name: "_-_", ofInts: int.subInt, ofUints: int.subUint, ofDoubles: (a, b) => a - b };
const MUL: Arithmetic = { name: "_*_", ofInts: int.mulInt, ofUints: int.mulUint, ofDoubles: (a, b) => a * b };
const DIV: Arithmetic = { name: "_/_", ofInts: int.divInt, ofUints: int.divUint, ofDoubles: (a, b) => a / b };
const MOD: Arithmetic = { name: "_%_", ofInts: int.modInt, ofUints: int.modUint };

/** `+` of values whose types are unknown before. */
export function addValues(a: Value, b: Value): Outcome {
  if (typeof a === "string") return typeof b === "string" ? concatTexts(a, b) : mismatch("_+_", a, b);
  const sum = arithmetic(ADD, a, b);
  if (sum !== undefined) return sum;
  if (Array.isArray(a) || a instanceof ListValue) return concatLists(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return concatBytes(a, b);
  if (a instanceof Duration) {
    if (b instanceof Duration) return addDurations(a, b);
    if (b instanceof Timestamp) return addTimestamp(b, a);
  }
  if (a instanceof Timestamp && b instanceof Duration) return addTimestamp(a, b);
  return mismatch("_+_", a, b);
}

export function subValues(a: Value, b: Value): Outcome {
  const difference = arithmetic(SUB, a, b);
  if (difference !== undefined) return difference;
  if (a instanceof Duration && b instanceof Duration) return subDurations(a, b);
  if (a instanceof Timestamp) {
    if (b instanceof Duration) return subTimestamp(a, b);
    if (b instanceof Timestamp) return timestampDifference(a, b);
  }
  return mismatch("_-_", a, b);
}

export const mulValues = (a: Value, b: Value): Outcome => arithmetic(MUL, a, b) ?? mismatch("_*_", a, b);
export const divValues = (a: Value, b: Value): Outcome => arithmetic(DIV, a, b) ?? mismatch("_/_", a, b);
export const modValues = (a: Value, b: Value): Outcome => arithmetic(MOD, a, b) ?? mismatch("_%_", a, b);

export function negValue(a: Value): Outcome {
  if (isInt(a)) return int.negInt(a);
  if (isDouble(a)) return boxDouble(-bare(a));
  return a instanceof Duration ? negDuration(a) : operandError("-_", a);
}

export function notValue(a: Value): Outcome {
  return typeof a === "boolean" ? !a : operandError("!_", a);
}

export function lessValues(a: Value, b: Value): boolean | CelError {
  const order = ordered("_<_", a, b);
  return typeof order === "number" ? order < 0 : order;
}
export function lessEqualsValues(a: Value, b: Value): boolean | CelError {
  const order = ordered("_<=_", a, b);
  return typeof order === "number" ? order <= 0 : order;
}
export function greaterValues(a: Value, b: Value): boolean | CelError {
  const order = ordered("_>_", a, b);
  return typeof order === "number" ? order > 0 : order;
}
export function greaterEqualsValues(a: Value, b: Value): boolean | CelError {
  const order = ordered("_>=_", a, b);
  return typeof order === "number" ? order >= 0 : order;
}

function ordered(name: string, a: Value, b: Value): Order | CelError {
  const order = compare(a, b);
  return typeof order === "number" || order.code !== "no_such_overload" ? order : mismatch(name, a, b);
}

/** `==` that is not exactly true is `!=`, even when it is an error. */
export const notEqualValues = (a: Value, b: Value): boolean => equal(a, b) !== true;

/** By operator name, receiver first; `@in` has the container second. */
export const dynamicOperators: ReadonlyMap<string, (a: Value, b: Value) => Outcome> = new Map<
  string,
  (a: Value, b: Value) => Outcome
>([
  ["_+_", addValues],
  ["_-_", subValues],
  ["_*_", mulValues],
  ["_/_", divValues],
  ["_%_", modValues],
  ["-_", negValue],
  ["!_", notValue],
  ["_==_", equal],
  ["_!=_", notEqualValues],
  ["_<_", lessValues],
  ["_<=_", lessEqualsValues],
  ["_>_", greaterValues],
  ["_>=_", greaterEqualsValues],
  ["@in", (elem, container) => contains(container, elem)],
]);
