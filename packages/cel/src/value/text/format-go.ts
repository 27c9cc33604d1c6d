// CEL values as Go prints them with %v, where the reference lets that through to users: inside error messages.

import { formatFloatV } from "@celadon/base";
import { isPlainObject } from "../box.ts";
import { CelError } from "../error.ts";
import { ownKeysOf } from "../size/measure.ts";
import { isTooLargeToWrite } from "../size/parts.ts";
import { grow, work } from "../size/work.ts";
import { formatGoDuration, formatGoTime } from "../time/time-format.ts";
import { Type } from "../type.ts";
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
} from "../value.ts";

/** Prints a value as Go's %v does, as in `no such key: <v>`. Values that would fill the memory are not printed. */
export function formatValue(v: Value): string {
  return isTooLargeToWrite(v) ? "(a value too large to be shown)" : formatAny(v);
}

function formatAny(v: Value): string {
  switch (typeof v) {
    case "string":
      grow(v.length);
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

/**
 * The text of a list, map or other object apart from its content, in units: one that is part of another many times is written many times.
 */
const UNITS_PER_PART = 16;

function formatObject(v: object): string {
  grow(UNITS_PER_PART);
  if (Array.isArray(v)) return `[${v.map(formatAny).join(", ")}]`;
  if (isPlainObject(v)) return formatEntries(ownKeysOf(v), (key) => v[key as string]);
  if (v instanceof Double) return formatFloatV(v.value);
  if (v instanceof Uint) return String(v.value);
  if (v instanceof Uint8Array) return `[${v.join(" ")}]`;
  if (v instanceof Timestamp) return formatGoTime(v);
  if (v instanceof Duration) return formatGoDuration(v);
  if (v instanceof Optional) return v.hasValue ? `optional(${formatAny(v.value)})` : "optional.none()";
  if (v instanceof Type) return v.toString();
  if (v instanceof ListValue) return `[${Array.from({ length: v.size }, (_, i) => formatAny(v.get(i))).join(", ")}]`;
  if (v instanceof MapValue) return formatEntries(v.keys(), (key) => v.find(key));
  if (v instanceof CelError) return v.message;
  if (v instanceof Opaque || v instanceof StructValue) return formatNamed(v);
  return "<nil>";
}

function formatEntries(keys: Iterable<Value>, find: (key: Value) => Value): string {
  const entry = (key: Value): string => {
    work(1);
    return `${formatAny(key)}: ${formatAny(find(key))}`;
  };
  return `{${Array.from(keys, entry).join(", ")}}`;
}

/** A library's value shows its own text when it has one. */
function formatNamed(v: Opaque | StructValue): string {
  return v.toString === Object.prototype.toString ? v.type.name : v.toString();
}
