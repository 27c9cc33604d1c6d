// Converts CEL values to the form of message fields, for message literals. Conversions, range checks and what null means are cel-go's (each
// value's ConvertToNative); so are the texts, Go type names included, because users compare.

import { create, type DescField, type DescMessage, type JsonObject, ScalarType } from "@bufbuild/protobuf";
import {
  anyPack,
  BoolValueSchema,
  BytesValueSchema,
  DoubleValueSchema,
  DurationSchema,
  Int64ValueSchema,
  ListValueSchema,
  type Duration as PbDuration,
  type Timestamp as PbTimestamp,
  StringValueSchema,
  StructSchema,
  TimestampSchema,
  UInt64ValueSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { setOwn } from "@celadon/base";
import { bareDouble, isDouble, isInt, isList, isMap } from "../value/box.ts";
import { type AnyMap, mapFind, mapKeys } from "../value/collection/any-map.ts";
import { type List, listIterate } from "../value/collection/list.ts";
import { conversionError } from "../value/conversion-error.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { intOverflow, uintOverflow } from "../value/int.ts";
import { typeName, typeOf } from "../value/type-of.ts";
import { Duration, Optional, Timestamp, Uint, type Value } from "../value/value.ts";
import type { Catalog } from "./catalog.ts";
import { jsonList, jsonObject, jsonOf, listMessage, structMessage, valueMessage } from "./json.ts";
import { MessageValue } from "./message-value.ts";
import { scalars } from "./scalars.ts";
import { isBareWrapper, isJsonStruct, wrappers } from "./well-known.ts";

/** Converts a value to the form that the message keeps, returns an error, or undefined to leave the field unset. */
export type Write = (value: Value) => unknown;

export function fieldWriter(catalog: Catalog, field: DescField): Write {
  const single = singleWriter(catalog, field);
  const blame = (error: CelError): CelError =>
    celError(
      error.code,
      `field type conversion error for ${field.parent.typeName}.${field.name} value type: ${error.message}`,
    );
  const element: Write = (value) => {
    const raw = single(value);
    return isError(raw) ? blame(raw) : raw;
  };
  if (field.fieldKind === "list") {
    return (value) => (isList(value) ? writeList(value, element) : unsupportedField(field, value));
  }
  if (field.fieldKind === "map") {
    const key: Write = (value) => {
      const raw = writeScalar(field.mapKey, scalars[field.mapKey].goName)(value);
      return isError(raw) ? blame(raw) : raw;
    };
    return (value) => (isMap(value) ? writeMap(value, key, element) : unsupportedField(field, value));
  }
  return element;
}

function unsupportedField(field: DescField, value: Value): CelError {
  return celError(
    "conversion",
    `unsupported field type for ${field.parent.typeName}.${field.name}: ${typeName(value)}`,
  );
}

function writeList(list: List, element: Write): unknown {
  const items: unknown[] = [];
  for (const item of listIterate(list)) {
    const raw = isError(item) ? item : element(item);
    if (isError(raw)) return raw;
    if (raw !== undefined) items.push(raw);
  }
  return items;
}

function writeMap(map: AnyMap, key: Write, element: Write): unknown {
  const entries: Record<string, unknown> = {};
  for (const k of mapKeys(map)) {
    const name = key(k);
    if (isError(name)) return name;
    const value = mapFind(map, k);
    const raw = isError(value) ? value : element(value);
    if (isError(raw)) return raw;
    if (raw !== undefined) setOwn(entries, String(name), raw);
  }
  return entries;
}

function singleWriter(catalog: Catalog, field: DescField): Write {
  const write = singleWriterOf(catalog, field);
  const unwrap: Write = (value) => {
    if (!(value instanceof Optional)) return write(value);
    return value.hasValue ? unwrap(value.value) : celError("conversion", "optional.none() dereference");
  };
  return unwrap;
}

function singleWriterOf(catalog: Catalog, field: DescField): Write {
  if (field.message !== undefined) return messageWriter(field, field.message);
  if (field.enum !== undefined) {
    const { enum: desc } = field;
    const write = writeScalar(ScalarType.INT32, "protoreflect.EnumNumber");
    return (value) => catalog.enums.toNumber(desc, value) ?? write(value);
  }
  const write = writeScalar(field.scalar, scalars[field.scalar].goName);
  // 64-bit integers with the jstype option are kept as texts.
  const asText = "longAsString" in field && field.longAsString;
  return asText ? (value) => andThen(write(value), String) : write;
}

function writeScalar(type: ScalarType, goName: string): Write {
  switch (type) {
    case ScalarType.BOOL:
      return (value) => (typeof value === "boolean" ? value : conversionError(value, goName));
    case ScalarType.STRING:
      return (value) => (typeof value === "string" ? value : conversionError(value, goName));
    case ScalarType.BYTES:
      return (value) => (value instanceof Uint8Array ? value : conversionError(value, goName));
    case ScalarType.DOUBLE:
      return (value) => (isDouble(value) ? bareDouble(value) : conversionError(value, goName));
    case ScalarType.FLOAT:
      return (value) => (isDouble(value) ? Math.fround(bareDouble(value)) : conversionError(value, goName));
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return (value) => (isInt(value) ? int32(value) : conversionError(value, goName));
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return (value) => (isInt(value) ? BigInt(value) : conversionError(value, goName));
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return (value) => (value instanceof Uint ? uint32(value.value) : conversionError(value, goName));
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return (value) => (value instanceof Uint ? BigInt(value.value) : conversionError(value, goName));
  }
}

const int32 = (value: Value): unknown => (typeof value === "number" && value === (value | 0) ? value : intOverflow());
const uint32 = (value: Value): unknown => (typeof value === "number" && value === value >>> 0 ? value : uintOverflow());

function messageWriter(field: DescField, desc: DescMessage): Write {
  const wrapped = desc.fields[0]?.scalar;
  if (wrappers.has(desc.typeName) && wrapped !== undefined) {
    return wrapperWriter(desc, writeScalar(wrapped, goMessage(desc)), isBareWrapper(field, desc));
  }
  switch (desc.typeName) {
    case "google.protobuf.Any":
      return (value) => packAny(value);
    case "google.protobuf.Duration":
      return (value) =>
        value === null ? undefined : value instanceof Duration ? durationMessage(value) : misfit(desc, value);
    case "google.protobuf.Timestamp":
      return (value) =>
        value === null ? undefined : value instanceof Timestamp ? timestampMessage(value) : misfit(desc, value);
    case "google.protobuf.Value":
      return (value) => andThen(jsonOf(value), valueMessage);
    case "google.protobuf.ListValue":
      return (value) => (isList(value) ? andThen(jsonList(value), listMessage) : misfit(desc, value));
    case "google.protobuf.Struct": {
      const finish: (json: JsonObject) => unknown = isJsonStruct(field) ? (json) => json : structMessage;
      return (value) => (isMap(value) ? andThen(jsonObject(value), finish) : misfit(desc, value));
    }
    default:
      return (value) => writeMessage(desc, value);
  }
}

const misfit = (desc: DescMessage, value: Value): CelError => conversionError(value, goMessage(desc));

function andThen<T, U>(result: T | CelError, next: (result: T) => U): U | CelError {
  return isError(result) ? result : next(result);
}

function writeMessage(desc: DescMessage, value: Value): unknown {
  if (value === null) return undefined;
  if (value instanceof MessageValue && value.message.$typeName === desc.typeName) return value.message;
  return misfit(desc, value);
}

function wrapperWriter(desc: DescMessage, write: Write, bare: boolean): Write {
  return (value) => {
    if (value === null) return undefined;
    const raw = write(value);
    return bare || isError(raw) ? raw : create(desc, { value: raw });
  };
}

const durationMessage = (value: Duration): PbDuration =>
  create(DurationSchema, { seconds: BigInt(value.seconds), nanos: value.nanos });
const timestampMessage = (value: Timestamp): PbTimestamp =>
  create(TimestampSchema, { seconds: BigInt(value.seconds), nanos: value.nanos });

/** Any value in an Any: scalars in their 64-bit wrappers, null, lists and maps as JSON. */
export function packAny(value: Value): unknown {
  switch (typeOf(value).kind) {
    case "bool":
      return anyPack(BoolValueSchema, create(BoolValueSchema, { value: value as boolean }));
    case "string":
      return anyPack(StringValueSchema, create(StringValueSchema, { value: value as string }));
    case "bytes":
      return anyPack(BytesValueSchema, create(BytesValueSchema, { value: value as Uint8Array<ArrayBuffer> }));
    case "int":
      return anyPack(Int64ValueSchema, create(Int64ValueSchema, { value: BigInt(value as number) }));
    case "uint":
      return anyPack(UInt64ValueSchema, create(UInt64ValueSchema, { value: BigInt((value as Uint).value) }));
    case "double":
      return anyPack(DoubleValueSchema, create(DoubleValueSchema, { value: bareDouble(value as number) }));
    case "duration":
      return anyPack(DurationSchema, durationMessage(value as Duration));
    case "timestamp":
      return anyPack(TimestampSchema, timestampMessage(value as Timestamp));
    case "null":
      return anyPack(ValueSchema, valueMessage(null));
    case "list":
      return andThen(jsonList(value as List), (json) => anyPack(ListValueSchema, listMessage(json)));
    case "map":
      return andThen(jsonObject(value as AnyMap), (json) => anyPack(StructSchema, structMessage(json)));
    default:
      return value instanceof MessageValue
        ? anyPack(value.shape.desc, value.message)
        : conversionError(value, "*anypb.Any");
  }
}

const goPackages: Readonly<Record<string, string>> = {
  Any: "anypb",
  Duration: "durationpb",
  Timestamp: "timestamppb",
  Struct: "structpb",
  Value: "structpb",
  ListValue: "structpb",
};

/** The Go type of a message: generated for well-known ones, dynamic for the rest. */
function goMessage(desc: DescMessage): string {
  if (wrappers.has(desc.typeName)) return `*wrapperspb.${desc.name}`;
  const known = desc.typeName.startsWith("google.protobuf.") ? goPackages[desc.name] : undefined;
  return known === undefined ? "*dynamicpb.Message" : `*${known}.${desc.name}`;
}
