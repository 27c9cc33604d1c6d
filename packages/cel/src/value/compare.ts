// Ordering of boxed values, for `<` and its kin. Bool, int, uint, double, string, bytes, timestamp and duration have an
// order; the numbers have one between them. Everything else answers "no such overload".

import { compareBytes, compareStrings, type Order } from "@celadon/base";
import { CelError, noSuchOverload } from "./error.ts";
import { Double, Duration, Timestamp, Uint, type Value } from "./value.ts";

/** The order of two values; an error if their types have no order. */
export function compare(a: Value, b: Value): Order | CelError {
  switch (typeof a) {
    case "number":
    case "bigint":
      return compareNumber(a, b);
    case "string":
      return typeof b === "string" ? compareStrings(a, b) : mismatch(b);
    case "boolean":
      return typeof b === "boolean" ? order(Number(a), Number(b)) : mismatch(b);
  }
  if (a instanceof Double || a instanceof Uint) return compareNumber(a.value, b);
  if (a instanceof Timestamp) return b instanceof Timestamp ? compareTimes(a, b) : mismatch(b);
  if (a instanceof Duration) return b instanceof Duration ? compareTimes(a, b) : mismatch(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? compareBytes(a, b) : mismatch(b);
  return mismatch(a);
}

const mismatch = (v: Value): CelError => (v instanceof CelError ? v : noSuchOverload());

const order = (a: number | bigint, b: number | bigint): Order => (a < b ? -1 : a > b ? 1 : 0);

function compareNumber(a: number | bigint, b: Value): Order | CelError {
  const right = b instanceof Double || b instanceof Uint ? b.value : b;
  if (typeof right !== "number" && typeof right !== "bigint") return Number.isNaN(a) ? nan() : mismatch(b);
  return compareNumbers(a, right);
}

/** Bare numbers of any numeric types. Two integers compare exactly; beside a double an integer is rounded to one. */
export function compareNumbers(a: number | bigint, b: number | bigint): Order | CelError {
  if (typeof a === typeof b) {
    if (a < b) return -1;
    if (a > b) return 1;
    return a === b ? 0 : nan();
  }
  const [left, right] = [Number(a), Number(b)];
  return Number.isNaN(left) || Number.isNaN(right) ? nan() : order(left, right);
}

const nan = (): CelError => new CelError("invalid_argument", "NaN values cannot be ordered");

export function compareTimes(a: Timestamp | Duration, b: Timestamp | Duration): Order {
  return a.seconds === b.seconds ? order(a.nanos, b.nanos) : order(a.seconds, b.seconds);
}
