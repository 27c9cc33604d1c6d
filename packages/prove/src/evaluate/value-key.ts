// A text for each constant, the same only for values that are the same: decisions about calls are kept by their arguments.

import { CelObject, Double } from "@celadon/base";
import { Duration, Timestamp, Uint } from "@celadon/cel";

const numbers = new WeakMap<object, number>();
let count = 0;

export function keyOfValue(value: unknown): string {
  if (value === null || typeof value !== "object") return scalarKey(value);
  if (Array.isArray(value)) return `[${value.map(keyOfValue).join()}]`;
  if (value instanceof Double) return `double ${value.value}`;
  if (value instanceof Uint) return `uint ${value.value}`;
  if (value instanceof Timestamp) return `time ${value.toJSON()} ${value.offsetMinutes}`;
  if (value instanceof Duration) return `duration ${value.toJSON()}`;
  if (!(value instanceof CelObject) && Object.getPrototypeOf(value) === Object.prototype)
    return `{${Object.entries(value)
      .map(([name, member]) => `${JSON.stringify(name)}: ${keyOfValue(member)}`)
      .join()}}`;
  // Values of libraries keep to themselves how they are made: each is the same as itself alone.
  let number = numbers.get(value);
  if (number === undefined) numbers.set(value, (number = ++count));
  return `value ${number}`;
}

function scalarKey(value: unknown): string {
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  return `${typeof value === "bigint" ? "number" : typeof value} ${value}`;
}
