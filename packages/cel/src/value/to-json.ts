// A result as JSON data, in the mapping that protobuf has for its own types: a number without an exact JSON form is text, times are text,
// bytes are base64. For showing and storing results; evaluation itself never converts.

import { encodeBase64 } from "@celadon/base";
import { isMap } from "./box.ts";
import { mapFind, mapKeys } from "./collection/any-map.ts";
import { listIterate } from "./collection/list.ts";
import { isError } from "./error.ts";
import { isTooLargeToWrite, MAX_PARTS } from "./size/parts.ts";
import { formatValue } from "./text/format-go.ts";
import { formatDuration, formatTimestamp } from "./time/time-format.ts";
import { Double, Duration, ListValue, Opaque, Optional, StructValue, Timestamp, Uint, type Value } from "./value.ts";

/** A value that JSON can represent. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Converts any value to JSON. Values without a JSON representation become strings. Throws a RangeError for a value that contains
 * itself, or whose repeated parts would fill the memory.
 */
export function toJson(value: Value): Json {
  if (isTooLargeToWrite(value)) throw new RangeError(`value has more than ${MAX_PARTS} parts when written out`);
  return anyToJson(value);
}

function anyToJson(value: Value): Json {
  switch (typeof value) {
    case "boolean":
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case "object":
      return value === null ? null : objectToJson(value);
    default:
      return null;
  }
}

function objectToJson(value: object): Json {
  if (Array.isArray(value) || value instanceof ListValue) {
    return Array.from(listIterate(value), (item) => anyToJson(isError(item) ? item.message : item));
  }
  if (isMap(value))
    return Object.fromEntries(mapKeys(value).map((key) => [keyText(key), anyToJson(mapFind(value, key))]));
  if (value instanceof Double || value instanceof Uint) return anyToJson(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Date) return value.toJSON();
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Optional) return value.hasValue ? anyToJson(value.value) : null;
  return hasOwnForm(value) ? value.toJSON() : formatValue(value);
}

/** Messages and values of libraries may choose their own form in JSON. */
function hasOwnForm(value: object): value is { toJSON(): Json } {
  return (value instanceof StructValue || value instanceof Opaque) && "toJSON" in value;
}

const keyText = (key: Value): string => (typeof key === "string" ? key : String(anyToJson(key)));
