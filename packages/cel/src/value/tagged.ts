// A value as JSON with its type: `{"int":"1"}`, `{"double":"1.5"}`, `{"list":[…]}`. Unlike toJson it loses nothing: 1 and 1.0, bytes and
// strings, keys that are not strings stay distinct. Maps are sorted by key, so equal values have equal text.

import { compareStrings, encodeBase64, formatFloatV } from "@celadon/base";
import { CelError } from "./error.ts";
import { durationToNanos } from "./time/time.ts";
import { formatTimestamp } from "./time/time-format.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Type,
  Uint,
  type Value,
} from "./value.ts";

/** A value as JSON that keeps its type: `{"int": 1}`. */
export type Tagged = Readonly<Record<string, unknown>>;

/** A value as JSON that keeps its type, for recordings and comparisons. */
export function taggedValue(v: Value): Tagged {
  if (v === null || v === undefined) return { null: true };
  if (typeof v === "string") return { string: v };
  if (typeof v === "boolean") return { bool: v };
  if (typeof v === "bigint" || Number.isSafeInteger(v)) return { int: String(v) };
  if (typeof v === "number") return { double: formatFloatV(v) };
  if (v instanceof Double) return { double: formatFloatV(v.value) };
  if (v instanceof Uint) return { uint: String(v.value) };
  if (v instanceof Uint8Array) return { bytes: encodeBase64(v) };
  if (v instanceof Timestamp) return { timestamp: formatTimestamp(v) };
  if (v instanceof Duration) return { duration: String(durationToNanos(v)) };
  if (v instanceof Optional) return { optional: v.hasValue ? taggedValue(v.value) : null };
  if (v instanceof Type) return { type: String(v) };
  if (Array.isArray(v)) return { list: v.map(taggedValue) };
  if (v instanceof ListValue) return { list: Array.from({ length: v.size }, (_, i) => taggedValue(v.get(i))) };
  if (v instanceof CelError) return { other: "error" }; // what an optional was left with (see reopen.ts)
  if (v instanceof Opaque || v instanceof StructValue) return { other: v.type.name };
  const entries =
    v instanceof MapValue
      ? Array.from(v.keys(), (key) => [taggedValue(key), taggedEntry(v.find(key))] as const)
      : Object.entries(v as object)
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => [taggedValue(key), taggedValue(value)] as const);
  const keyed = entries.map((entry) => ({ entry, text: JSON.stringify(entry[0]) }));
  return { map: keyed.sort((a, b) => compareStrings(a.text, b.text)).map(({ entry }) => entry) };
}

/** An entry filed under NaN exists but cannot be found. */
const taggedEntry = (value: Value): Tagged => (value === undefined ? { other: "error" } : taggedValue(value));
