// CEL values as Go prints them with %v, where the reference lets that through to users: inside error messages.

import { formatFloatV } from "@celadon/base";
import { isPlainObject } from "./box.ts";
import { CelError } from "./error.ts";
import { formatGoDuration, formatGoTime } from "./time-format.ts";
import { Type } from "./type.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.ts";

/** How Go prints a value with %v, as in `no such key: <v>`. */
export function formatValue(v: Value): string {
  switch (typeof v) {
    case "string":
      return v;
    case "number":
      return Number.isSafeInteger(v) ? String(v) : formatFloatV(v);
    case "bigint":
    case "boolean":
      return String(v);
    case "object":
      return v === null ? "0" : formatObject(v);
    default:
      return "<nil>";
  }
}

function formatObject(v: object): string {
  if (Array.isArray(v)) return `[${v.map(formatValue).join(", ")}]`;
  if (isPlainObject(v)) return formatEntries(Object.keys(v), (key) => v[key as string]);
  if (v instanceof Double) return formatFloatV(v.value);
  if (v instanceof Uint) return String(v.value);
  if (v instanceof Uint8Array) return `[${v.join(" ")}]`;
  if (v instanceof Timestamp) return formatGoTime(v);
  if (v instanceof Duration) return formatGoDuration(v);
  if (v instanceof Optional) return v.hasValue ? `optional(${formatValue(v.value)})` : "optional.none()";
  if (v instanceof Type) return v.toString();
  if (v instanceof ListValue) return `[${Array.from({ length: v.size }, (_, i) => formatValue(v.get(i))).join(", ")}]`;
  if (v instanceof MapValue) return formatEntries(v.keys(), (key) => v.find(key));
  if (v instanceof CelError) return v.message;
  if (v instanceof Opaque || v instanceof StructValue) return formatNamed(v);
  return "<nil>";
}

function formatEntries(keys: Iterable<Value>, find: (key: Value) => Value): string {
  return `{${Array.from(keys, (key) => `${formatValue(key)}: ${formatValue(find(key))}`).join(", ")}}`;
}

/** A library's value shows its own text when it has one. */
function formatNamed(v: Opaque | StructValue): string {
  return v.toString === Object.prototype.toString ? v.type.name : v.toString();
}
