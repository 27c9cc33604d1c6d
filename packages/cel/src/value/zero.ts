// The values that count as zero or empty: `optional.ofNonZeroValue(v)` is none for those.

import { isPlainObject } from "./box.ts";
import { mapSize } from "./collection/any-map.ts";
import { MIN_TIMESTAMP_SECONDS } from "./time/time.ts";
import { Double, Duration, ListValue, MapValue, StructValue, Timestamp, Uint, type Value } from "./value.ts";

/** Types, optionals and library values have no zero. The zero timestamp is the first instant of the year 1. */
export function isZeroValue(v: Value): boolean {
  switch (typeof v) {
    case "string":
      return v === "";
    case "number":
    case "boolean":
      return v === 0 || v === false;
    case "bigint":
      return v === 0n;
    case "object":
      return v === null || isZeroObject(v);
    default:
      return v === undefined;
  }
}

function isZeroObject(v: object): boolean {
  if (Array.isArray(v)) return v.length === 0;
  if (isPlainObject(v)) return mapSize(v) === 0;
  if (v instanceof ListValue || v instanceof MapValue || v instanceof StructValue) return v.isZero?.() ?? false;
  if (v instanceof Double || v instanceof Uint) return Number(v.value) === 0;
  if (v instanceof Uint8Array) return v.length === 0;
  if (v instanceof Duration) return v.seconds === 0 && v.nanos === 0;
  if (v instanceof Timestamp) return v.seconds === MIN_TIMESTAMP_SECONDS && v.nanos === 0;
  return false;
}
