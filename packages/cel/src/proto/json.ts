// CEL values as JSON, for google.protobuf.Value, Struct and ListValue. Integers that a JSON number cannot hold exactly become texts, bytes
// become base64, durations and timestamps their text form.

import { create, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";
import { base64Encode } from "@bufbuild/protobuf/wire";
import {
  type ListValue,
  ListValueSchema,
  NullValue,
  type Value as PbValue,
  type Struct,
  StructSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { setOwn, thrownText } from "@celadon/base";
import { bareDouble } from "../value/box.ts";
import { type AnyMap, mapFind, mapKeys } from "../value/collection/any-map.ts";
import { type List, listIterate } from "../value/collection/list.ts";
import { conversionError } from "../value/conversion-error.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { formatDuration, formatTimestamp } from "../value/time/time-format.ts";
import type { Int } from "../value/type.ts";
import { typeOf } from "../value/type-of.ts";
import { type Duration, Optional, type Timestamp, type Uint, type Value } from "../value/value.ts";
import { MessageValue } from "./message-value.ts";

/** A CEL value as JSON; NaN and the infinities stay numbers, as google.protobuf.Value can hold them. */
export function jsonOf(value: Value): JsonValue | CelError {
  switch (typeOf(value).kind) {
    case "null":
      return null;
    case "bool":
    case "string":
      return value as boolean | string;
    case "int":
      return jsonInt(value as Int);
    case "uint":
      return jsonInt((value as Uint).value);
    case "double":
      return bareDouble(value as number);
    case "bytes":
      return base64Encode(value as Uint8Array);
    case "duration":
      return formatDuration(value as Duration);
    case "timestamp":
      return formatTimestamp(value as Timestamp);
    case "list":
      return jsonList(value as List);
    case "map":
      return jsonObject(value as AnyMap);
    default:
      return jsonOfOther(value);
  }
}

const jsonInt = (int: Int): JsonValue => (typeof int === "bigint" ? String(int) : int);

export function jsonList(list: List): JsonValue[] | CelError {
  const items: JsonValue[] = [];
  for (const item of listIterate(list)) {
    const json = isError(item) ? item : jsonOf(item);
    if (isError(json)) return json;
    items.push(json);
  }
  return items;
}

export function jsonObject(map: AnyMap): JsonObject | CelError {
  const object: JsonObject = {};
  for (const key of mapKeys(map)) {
    if (typeof key !== "string") return conversionError(key, "string");
    const value = mapFind(map, key);
    const json = isError(value) ? value : jsonOf(value);
    if (isError(json)) return json;
    setOwn(object, key, json);
  }
  return object;
}

function jsonOfOther(value: Value): JsonValue | CelError {
  if (value instanceof MessageValue) return messageJson(value);
  if (!(value instanceof Optional)) return conversionError(value, "*structpb.Value");
  return value.hasValue ? jsonOf(value.value) : celError("conversion", "optional.none() dereference");
}

function messageJson({ shape, message }: MessageValue): JsonValue | CelError {
  try {
    return toJson(shape.desc, message, { registry: shape.catalog.registry });
  } catch (cause) {
    return celError("conversion", thrownText(cause));
  }
}

/** JSON as a google.protobuf.Value. */
export function valueMessage(json: JsonValue): PbValue {
  return create(ValueSchema, { kind: valueKind(json) });
}

function valueKind(json: JsonValue): PbValue["kind"] {
  if (json === null) return { case: "nullValue", value: NullValue.NULL_VALUE };
  if (typeof json === "boolean") return { case: "boolValue", value: json };
  if (typeof json === "number") return { case: "numberValue", value: json };
  if (typeof json === "string") return { case: "stringValue", value: json };
  if (Array.isArray(json)) return { case: "listValue", value: listMessage(json) };
  return { case: "structValue", value: structMessage(json) };
}

export function listMessage(json: readonly JsonValue[]): ListValue {
  return create(ListValueSchema, { values: json.map(valueMessage) });
}

export function structMessage(json: JsonObject): Struct {
  const message = create(StructSchema);
  for (const [key, value] of Object.entries(json)) setOwn(message.fields, key, valueMessage(value));
  return message;
}
