// Converts CEL values to google.protobuf.Value, Struct and ListValue: JSON, in which every number is a double. Integers that a double would
// round become texts, bytes base64, durations and timestamps their text form.

import { boxDouble, encodeBase64 } from "@celadon/base";
import { bareDouble } from "../value/box.ts";
import { type AnyMap, mapFind, mapKeys } from "../value/collection/any-map.ts";
import { type List, listIterate } from "../value/collection/list.ts";
import { CelMap, type CelMapEntry } from "../value/collection/map.ts";
import { conversionError } from "../value/conversion-error.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { formatDuration, formatTimestamp } from "../value/time/time-format.ts";
import type { Int } from "../value/type.ts";
import { typeName, typeOf } from "../value/type-of.ts";
import { type Duration, Opaque, Optional, type Timestamp, type Uint, type Value } from "../value/value.ts";

/** A value after a round trip through JSON. */
export function jsonValue(value: Value): Value | CelError {
  switch (typeOf(value).kind) {
    case "null":
    case "bool":
    case "string":
      return value;
    case "int":
      return jsonNumber(value as Int);
    case "uint":
      return jsonNumber((value as Uint).value);
    case "double":
      return boxDouble(bareDouble(value as number));
    case "bytes":
      return encodeBase64(value as Uint8Array);
    case "duration":
      return formatDuration(value as Duration);
    case "timestamp":
      return formatTimestamp(value as Timestamp);
    case "list":
      return jsonList(value as List);
    case "map":
      return jsonObject(value as AnyMap);
    case "struct":
      return typeName(value) === "google.protobuf.Empty" ? new CelMap() : conversionError(value, "*structpb.Value");
    default:
      return value instanceof Optional ? jsonOptional(value) : conversionError(value, "*structpb.Value");
  }
}

const jsonNumber = (int: Int): Value => (typeof int === "bigint" ? String(int) : boxDouble(int));

function jsonOptional(value: Optional): Value | CelError {
  return value.hasValue ? jsonValue(value.value) : celError("conversion", NOTHING);
}

export function jsonList(list: List): readonly Value[] | CelError {
  const items: Value[] = [];
  for (const item of listIterate(list)) {
    const json = isError(item) ? item : jsonValue(item);
    if (isError(json)) {
      return json;
    }
    items.push(json);
  }
  return items;
}

export function jsonObject(map: AnyMap): CelMap | CelError {
  const entries: CelMapEntry[] = [];
  for (const key of mapKeys(map)) {
    const name = jsonKey(key);
    if (isError(name)) return name;
    const value = mapFind(map, key);
    const json = isError(value) ? value : jsonValue(value);
    if (isError(json)) return json;
    entries.push([name, json]);
  }
  return CelMap.from(entries);
}

/** Texts, and the text form of a library's value. */
function jsonKey(key: Value): string | CelError {
  if (typeof key === "string") return key;
  if (key instanceof Optional) return key.hasValue ? jsonKey(key.value) : celError("conversion", NOTHING);
  return (key instanceof Opaque ? key.hostText : undefined) ?? conversionError(key, "string");
}

const NOTHING = "optional.none() dereference";
