// Bounds of numbers, with the oddities of the reference: constraints are doubles, compared as integers where the value is
// one, and must themselves be of the schema's type.

import { Double, formatFloatV } from "@celadon/base";
import type { Emulation } from "@celadon/kube/versions";
import { isInteger, numberOf } from "../json.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { ValueProblems } from "./problems.ts";

export interface NumberLimits {
  /** `integer`, `number` or nothing where the type is not just one of them. */
  readonly type: "integer" | "number" | undefined;
  readonly format: string;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
}

/** Since then a number is compared with its type and the range of its format; a wrong type is one more error of its own. */
const RANGED_SINCE = 36;

/** Limits of a schema for values that have just one of the numeric types, or none. */
export function numberLimits(
  schema: JsonSchema,
  types: readonly string[],
  format: string,
  by: Emulation,
): NumberLimits {
  const [only] = types.length === 1 && by.since(RANGED_SINCE) ? types : [];
  const type = only === "integer" || only === "number" ? only : undefined;
  const known =
    (type === "integer" && /^int(32|64)$/.test(format)) || (type === "number" && /^(float|double)$/.test(format));
  return {
    type,
    format: known ? format : "",
    minimum: schema.minimum,
    exclusiveMinimum: schema.exclusiveMinimum === true,
    maximum: schema.maximum,
    exclusiveMaximum: schema.exclusiveMaximum === true,
    multipleOf: schema.multipleOf,
  };
}

/** True if there are no limits, so that no value can fail. */
export function isUnlimited({ type, format, minimum, maximum, multipleOf }: NumberLimits): boolean {
  const anyRange = type === undefined || (type === "number" && format !== "float");
  return anyRange && minimum === undefined && maximum === undefined && multipleOf === undefined;
}

export function checkNumber(value: unknown, limits: NumberLimits, path: string, problems: ValueProblems): void {
  const integer = isInteger(value);
  if (!integer || limits.format === "int32") checkRange(value, limits, "Checked", path, problems);
  const { multipleOf, minimum, maximum } = limits;
  if (multipleOf !== undefined) {
    const fits = checkRange(multipleOf, limits, "MultipleOf", path, problems);
    checkMultiple(value, multipleOf, fits && integer, path, problems);
  }
  if (minimum !== undefined) {
    const fits = checkRange(minimum, limits, "Minimum boundary", path, problems);
    checkBound(value, minimum, limits.exclusiveMinimum, "minimum", fits && integer, path, problems);
  }
  if (maximum !== undefined) {
    const fits = checkRange(maximum, limits, "Maximum boundary", path, problems);
    checkBound(value, maximum, limits.exclusiveMaximum, "maximum", fits && integer, path, problems);
  }
}

/** Whether a value can be of the type and format at all. */
function checkRange(
  value: unknown,
  { type, format }: NumberLimits,
  what: string,
  path: string,
  problems: ValueProblems,
): boolean {
  if (fitsRange(value, type, format)) return true;
  const named = format === "" ? "(default format)" : `with format ${format}`;
  problems.general(`${what} value must be of type ${type ?? ""} ${named} in ${path}`);
  return false;
}

function fitsRange(value: unknown, type: NumberLimits["type"], format: string): boolean {
  if (type === "integer") {
    if (isInteger(value)) return format !== "int32" || (value >= -(2 ** 31) && value < 2 ** 31);
    const n = numberOf(value);
    const [least, most] = format === "int32" ? [-(2 ** 31), 2 ** 31 - 1] : [-(2 ** 63), 2 ** 63 - 1024];
    return Number.isInteger(n) && n >= least && n <= most;
  }
  return format !== "float" || Number.isFinite(Math.fround(numberOf(value)));
}

/** A double as Go converts it to an int64; beyond the range it is the smallest one. */
function toInt64(n: number): bigint {
  const whole = Number.isFinite(n) ? BigInt(Math.trunc(n)) : 1n << 63n;
  return BigInt.asIntN(64, whole) === whole ? whole : -(1n << 63n);
}

function checkBound(
  value: unknown,
  bound: number,
  exclusive: boolean,
  side: "minimum" | "maximum",
  asIntegers: boolean,
  path: string,
  problems: ValueProblems,
): void {
  const limit = asIntegers && !Number.isSafeInteger(bound) ? toInt64(bound) : bound;
  const given = asIntegers ? (value as number | bigint) : numberOf(value);
  const beyond = side === "minimum" ? given < limit : given > limit;
  // biome-ignore lint/suspicious/noDoubleEquals: a bigint may meet a number
  if (!beyond && !(exclusive && given == limit)) return;
  const shown = asIntegers ? String(limit) : formatFloatV(bound);
  const words = `${side === "minimum" ? "greater" : "less"} than${exclusive ? "" : " or equal to"}`;
  problems.invalid(path, shownNumber(value, asIntegers), `${path} in body should be ${words} ${shown}`);
}

function checkMultiple(
  value: unknown,
  factor: number,
  asIntegers: boolean,
  path: string,
  problems: ValueProblems,
): void {
  const shown = asIntegers ? String(toInt64(factor)) : formatFloatV(factor);
  const whole = asIntegers ? toInt64(factor) : 0n;
  if (asIntegers ? whole <= 0n : factor <= 0) {
    const detail = `factor MultipleOf declared for ${path} must be positive: ${shown}`;
    problems.invalid(path, asIntegers ? whole : new Double(factor), detail);
    return;
  }
  const isMultiple = asIntegers
    ? BigInt(value as number | bigint) % whole === 0n
    : isJsonInteger(factor < 1 ? (1 / factor) * numberOf(value) : numberOf(value) / factor);
  if (!isMultiple) {
    problems.invalid(path, shownNumber(value, asIntegers), `${path} in body should be a multiple of ${shown}`);
  }
}

function shownNumber(value: unknown, asInteger: boolean): unknown {
  return asInteger ? value : new Double(numberOf(value));
}

const EPSILON = 1e-9;

/** A double that is a safe integer, or so near one that the difference may come from dividing. */
export function isJsonInteger(f: number): boolean {
  if (!Number.isFinite(f) || Math.abs(f) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(f)) return true;
  // Go converts a negative double to an unsigned integer that is far away, never near.
  const g = f < 0 ? 2 ** 64 + Math.trunc(f) : Math.trunc(f);
  if (g === 0) return false;
  return Math.abs(f - g) / (Math.abs(f) + Math.abs(g)) < EPSILON;
}
