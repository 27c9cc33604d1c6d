// Converts fields of messages to CEL values: scalars, enums, well-known messages, Any (unpacked through the registry), JSON.

import {
  type DescField,
  type DescMessage,
  fromBinary,
  type JsonValue,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import type {
  Any,
  Duration as PbDuration,
  ListValue as PbList,
  Timestamp as PbTimestamp,
  Value as PbValue,
  Struct,
} from "@bufbuild/protobuf/wkt";
import { boxDouble, thrownText } from "@celadon/base";
import { type CelError, celError } from "../value/error.ts";
import { MAX_INT, MIN_INT } from "../value/int.ts";
import { durationFromNanos } from "../value/time/time.ts";
import { type Duration, Timestamp, type Value } from "../value/value.ts";
import type { Catalog } from "./catalog.ts";
import { type Convert, ViewList, ViewMap } from "./containers.ts";
import { isPlain, scalars, zeroOf } from "./scalars.ts";
import { isBareWrapper, isJsonStruct, wrappers } from "./well-known.ts";

/** Reads the value of a field that is set. */
export function fieldReader(catalog: Catalog, field: DescField): Convert {
  switch (field.fieldKind) {
    case "scalar":
      return scalars[field.scalar].read;
    case "enum":
      return catalog.enums.reader(field.enum);
    case "message":
      return messageFieldReader(catalog, field, field.message);
    case "list":
      return listReader(catalog, field);
    case "map":
      return mapReader(catalog, field);
  }
}

function listReader(catalog: Catalog, field: DescField & { fieldKind: "list" }): Convert {
  const element = elementReader(catalog, field);
  return element === undefined ? same : (raw) => new ViewList(raw as unknown[], element);
}

function mapReader(catalog: Catalog, field: DescField & { fieldKind: "map" }): Convert {
  const element = elementReader(catalog, field);
  if (element === undefined && field.mapKey === ScalarType.STRING) return same;
  return (raw) => new ViewMap(raw as Record<string, unknown>, field.mapKey, element ?? same);
}

const same: Convert = (raw) => raw;

/** Undefined when elements are CEL values as they are. */
function elementReader(catalog: Catalog, field: DescField & { fieldKind: "list" | "map" }): Convert | undefined {
  if (field.message !== undefined) return messageFieldReader(catalog, field, field.message);
  if (field.enum !== undefined) return catalog.enums.strong ? catalog.enums.reader(field.enum) : undefined;
  return isPlain(field.scalar) ? undefined : scalars[field.scalar].read;
}

function messageFieldReader(catalog: Catalog, field: DescField, message: DescMessage): Convert {
  const wrapped = message.fields[0]?.scalar;
  if (isBareWrapper(field, message) && wrapped !== undefined) return scalars[wrapped].read;
  if (message.typeName === "google.protobuf.Struct" && isJsonStruct(field)) return (raw) => readJson(raw as JsonValue);
  return messageReader(catalog, message);
}

/** Reads a message that stands by itself: an element, the content of an Any, a variable. */
export function messageReader(catalog: Catalog, desc: DescMessage): Convert {
  if (wrappers.has(desc.typeName)) {
    const read = scalars[(desc.fields[0] as DescField & { fieldKind: "scalar" }).scalar].read;
    return (raw) => read((raw as { value: unknown }).value);
  }
  switch (desc.typeName) {
    case "google.protobuf.Any":
      return (raw) => readAny(catalog, raw as Any);
    case "google.protobuf.Duration":
      return (raw) => readDuration(raw as PbDuration);
    case "google.protobuf.Timestamp":
      return (raw) => readTimestamp(raw as PbTimestamp);
    case "google.protobuf.Struct":
      return (raw) => readStruct(raw as Struct);
    case "google.protobuf.ListValue":
      return (raw) => readListValue(raw as PbList);
    case "google.protobuf.Value":
      return (raw) => readValue(raw as PbValue);
    default:
      return (raw) => catalog.wrap(desc, raw as Message);
  }
}

/** Reads an unset field. */
export function unsetReader(catalog: Catalog, field: DescField): () => Value | CelError {
  const read = fieldReader(catalog, field);
  switch (field.fieldKind) {
    case "scalar": {
      const value = field.getDefaultValue() ?? zeroOf(field.scalar);
      return () => read(value);
    }
    case "enum": {
      const value = read(field.getDefaultValue() ?? field.enum.values[0]?.number ?? 0);
      return () => value;
    }
    case "message":
      return unsetMessage(catalog, field.message);
    case "list":
      return () => [];
    case "map":
      return () => ({});
  }
}

/** Wrappers, Value and Any are null when unset; other messages are empty ones. */
function unsetMessage(catalog: Catalog, desc: DescMessage): () => Value | CelError {
  if (wrappers.has(desc.typeName)) return () => null;
  switch (desc.typeName) {
    case "google.protobuf.Any":
    case "google.protobuf.Value":
      return () => null;
    default:
      return () => catalog.empty(desc);
  }
}

function readAny(catalog: Catalog, any: Any): Value | CelError {
  if (any.typeUrl === "") return unpackError("invalid empty type URL");
  const desc = catalog.message(any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1));
  if (desc === undefined) return unpackError("proto: not found");
  let message: Message;
  try {
    message = fromBinary(desc, any.value);
  } catch (cause) {
    return unpackError(thrownText(cause));
  }
  return messageReader(catalog, desc)(message);
}

const unpackError = (why: string): CelError => celError("conversion", `unmarshal dynamic any failed: ${why}`);

const NANOS = 1_000_000_000n;

/** Go's durations are 64 bits of nanoseconds; longer ones stop at the limit. */
function readDuration(raw: PbDuration): Duration {
  const total = raw.seconds * NANOS + BigInt(raw.nanos);
  if (total > MAX_INT) return durationFromNanos(MAX_INT);
  if (total < MIN_INT) return durationFromNanos(MIN_INT);
  return durationFromNanos(total);
}

function readTimestamp(raw: PbTimestamp): Timestamp {
  const carry = Math.floor(raw.nanos / 1e9);
  return new Timestamp(Number(raw.seconds) + carry, raw.nanos - carry * 1e9);
}

const readStruct = (raw: Struct): Value =>
  new ViewMap(raw.fields, ScalarType.STRING, (value) => readValue(value as PbValue));
const readListValue = (raw: PbList): Value => new ViewList(raw.values, (value) => readValue(value as PbValue));

function readValue(raw: PbValue): Value {
  switch (raw.kind.case) {
    case "numberValue":
      return boxDouble(raw.kind.value);
    case "boolValue":
    case "stringValue":
      return raw.kind.value;
    case "structValue":
      return readStruct(raw.kind.value);
    case "listValue":
      return readListValue(raw.kind.value);
    case "nullValue":
    case undefined:
      return null;
  }
}

/** JSON inside a message: its numbers are doubles, which plain JSON numbers are not to CEL. */
function readJson(json: JsonValue): Value {
  if (typeof json === "number") return boxDouble(json);
  if (Array.isArray(json)) return new ViewList(json, readJson as Convert);
  if (typeof json === "object" && json !== null) return new ViewMap(json, ScalarType.STRING, readJson as Convert);
  return json;
}
