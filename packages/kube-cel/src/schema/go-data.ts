// Data as Go holds it: the Go type of a piece of JSON, deep equality of two pieces, and the data form of a CEL value. In Go an int64 and a
// float64 are never equal; here a number that is a safe integer and a bigint are int64, every other number and a boxed Double are float64.

import { CelObject } from "@celadon/base";
import { Double, Duration, isError, ListValue, MapValue, Timestamp, Uint, type Value } from "@celadon/cel";

/** A list or map that was computed, where data is expected: no schema accepts it. */
export class Computed extends CelObject {
  readonly goType: string;
  constructor(goType: string) {
    super();
    this.goType = goType;
  }
}

/** The text that Go's `%T` prints for data. */
export function goTypeOf(data: unknown): string {
  switch (typeof data) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int64";
    case "number":
      return Number.isSafeInteger(data) ? "int64" : "float64";
  }
  if (data === null || data === undefined) return "<nil>";
  if (Array.isArray(data)) return "[]interface {}";
  if (data instanceof Double) return "float64";
  if (data instanceof Uint) return "uint64";
  if (data instanceof Timestamp) return "time.Time";
  if (data instanceof Duration) return "time.Duration";
  if (data instanceof Uint8Array) return "[]uint8";
  if (data instanceof Computed) return data.goType;
  return isError(data) ? "*errors.errorString" : "map[string]interface {}";
}

/** A value that knows the data it was made from. */
export interface FromData {
  readonly data: unknown;
}

/** The data of a CEL value, as Go's `Value()` answers it. Times and bytes stay unchanged: they have no JSON type. */
export function dataOf(value: Value): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return new Computed("[]ref.Val");
  if ((value instanceof MapValue || value instanceof ListValue) && "data" in value) return (value as FromData).data;
  if (value instanceof MapValue) return new Computed("map[ref.Val]ref.Val");
  return value instanceof ListValue ? new Computed("[]ref.Val") : value;
}

/** Go's complaint about a map key that cannot be one, when `data` is such. */
export function unhashable(data: unknown): string | undefined {
  const type = goTypeOf(data);
  return type.startsWith("[]") || type.startsWith("map[")
    ? `runtime error: hash of unhashable type ${type}`
    : undefined;
}

/**
 * A text for data, so that two texts are the same when the data are the same key in a Go map. Most text stands for itself;
 * what else there is begins with a NUL, and so does text that begins with one.
 */
export function keyText(data: unknown): string {
  switch (typeof data) {
    case "string":
      return data.startsWith("\0") ? `\0s${data}` : data;
    case "number":
      return `\0${Number.isSafeInteger(data) ? "i" : "d"}${data}`;
    case "bigint":
      return `\0i${data}`;
    case "boolean":
      return data ? "\0true" : "\0false";
  }
  if (data === null || data === undefined) return "\0nil";
  if (data instanceof Double) return `\0d${data.value + 0}`;
  if (data instanceof Timestamp) return `\0t${data.seconds}.${data.nanos}/${data.offsetMinutes}`;
  if (data instanceof Duration) return `\0p${data.seconds}.${data.nanos}`;
  return data instanceof Uint ? `\0u${data.value}` : "\0?";
}
