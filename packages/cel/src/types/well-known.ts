// The well-known protobuf messages without protobuf: literals such as `google.protobuf.Int64Value{value: 1}` make the CEL value
// that the message stands for. google.protobuf.Any needs descriptors and is not here.

import { boxDouble } from "@celadon/base";
import { bareDouble, isDouble, isInt, isList, isMap, isUint } from "../value/box.ts";
import { conversionError } from "../value/conversion-error.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { intOverflow, MAX_INT, MIN_INT, uintOverflow } from "../value/int.ts";
import { durationFromNanos, timestampOverflow } from "../value/time.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DYN,
  INT,
  type Int,
  listOf,
  mapOf,
  STRING,
  struct,
  type Type,
  UINT,
} from "../value/type.ts";
import { typeName } from "../value/type-of.ts";
import { StructValue, Timestamp, Uint, type Value } from "../value/value.ts";
import { composeProviders } from "./compose-provider.ts";
import { jsonList, jsonObject } from "./json-value.ts";
import { createNamedProvider } from "./named-provider.ts";
import type { Field, StructType, TypeProvider } from "./provider.ts";
import { WELL_KNOWN_TYPES } from "./well-known-names.ts";

/** How a field takes a value: as it is kept, or an error without the field's name. */
type Take = (value: Value) => Value | CelError;

interface FieldRow {
  readonly type: Type;
  readonly take: Take;
}

const row = (type: Type, take: Take): FieldRow => ({ type, take });

const int64: Take = (value) => (isInt(value) ? value : conversionError(value, "int64"));
const int32: Take = (value) =>
  !isInt(value) ? conversionError(value, "int32") : within(value, -0x80000000, 0x7fffffff) ? value : intOverflow();
const uint64: Take = (value) => (isUint(value) ? value : conversionError(value, "uint64"));
const uint32: Take = (value) =>
  !isUint(value) ? conversionError(value, "uint32") : within(value.value, 0, 0xffffffff) ? value : uintOverflow();
const float64: Take = (value) => (isDouble(value) ? value : conversionError(value, "float64"));
const float32: Take = (value) =>
  isDouble(value) ? boxDouble(Math.fround(bareDouble(value))) : conversionError(value, "float32");
const bool: Take = (value) => (typeof value === "boolean" ? value : conversionError(value, "bool"));
const string: Take = (value) => (typeof value === "string" ? value : conversionError(value, "string"));
const bytes: Take = (value) => (value instanceof Uint8Array ? value : conversionError(value, "[]uint8"));
const nullEnum: Take = (value) => (isInt(value) ? null : conversionError(value, "structpb.NullValue"));
const jsonMap: Take = (value) => (isMap(value) ? jsonObject(value) : conversionError(value, "*structpb.Struct"));
const jsonItems: Take = (value) => (isList(value) ? jsonList(value) : conversionError(value, "*structpb.ListValue"));

function within(value: Int, min: number, max: number): boolean {
  return value >= min && value <= max;
}

type Values = ReadonlyMap<string, Value>;

// biome-ignore format: one message per line
const structs: ReadonlyMap<string, StructType> = new Map([
  wrapperOf("BoolValue",   row(BOOL,   bool),    false),
  wrapperOf("BytesValue",  row(BYTES,  bytes),   new Uint8Array()),
  wrapperOf("DoubleValue", row(DOUBLE, float64), boxDouble(0)),
  wrapperOf("FloatValue",  row(DOUBLE, float32), boxDouble(0)),
  wrapperOf("Int32Value",  row(INT,    int32),   0),
  wrapperOf("Int64Value",  row(INT,    int64),   0),
  wrapperOf("StringValue", row(STRING, string),  ""),
  wrapperOf("UInt32Value", row(UINT,   uint32),  new Uint(0)),
  wrapperOf("UInt64Value", row(UINT,   uint64),  new Uint(0)),
  message("Duration",  { seconds: row(INT, int64), nanos: row(INT, int32) }, makeDuration),
  message("Timestamp", { seconds: row(INT, int64), nanos: row(INT, int32) }, makeTimestamp),
  message("Struct",    { fields: row(mapOf(STRING, DYN), collection(isMap, jsonMap)) }, (values) => values.get("fields") ?? jsonObject({})),
  message("ListValue", { values: row(listOf(DYN), collection(isList, jsonItems)) }, (values) => values.get("values") ?? []),
  message("Value", {
    null_value: row(INT, nullEnum), number_value: row(DOUBLE, float64), string_value: row(STRING, string), bool_value: row(BOOL, bool),
    struct_value: row(mapOf(STRING, DYN), jsonMap), list_value: row(listOf(DYN), jsonItems),
  }, (values) => [...values.values()].at(-1) ?? null),
  message("Empty", {}, () => new EmptyMessage()),
]);

export const wellKnownTypes: TypeProvider = composeProviders(
  {
    findStruct: (name) => structs.get(name),
    findIdent: () => undefined,
    hasPrefix: (first) => first === "google",
  },
  createNamedProvider([], [{ name: "google.protobuf.NullValue.NULL_VALUE", type: INT, value: 0 }]),
);

function wrapperOf(shortName: string, value: FieldRow, zero: Value): [string, StructType] {
  return message(shortName, { value }, (values) => values.get("value") ?? zero);
}

function message(
  shortName: string,
  rows: Readonly<Record<string, FieldRow>>,
  build: (values: Values) => Value | CelError,
): [string, StructType] {
  const name = `google.protobuf.${shortName}`;
  const fields = new Map(
    Object.entries(rows).map(([field, { type }]): [string, Field] => [field, { name: field, type }]),
  );
  const names = [...fields.keys()];
  const takes = new Map(Object.entries(rows).map(([field, { take }]): [string, Take] => [field, take]));
  const type = WELL_KNOWN_TYPES.get(name) ?? struct(name);
  const create = (given: Values): Value | CelError => {
    const values = takeAll(name, takes, given);
    return isError(values) ? values : build(values);
  };
  return [name, { type, field: (field) => fields.get(field), fieldNames: () => names, create }];
}

function takeAll(message: string, takes: ReadonlyMap<string, Take>, given: Values): Values | CelError {
  const values = new Map<string, Value>();
  for (const [field, value] of given) {
    const take = takes.get(field);
    if (take === undefined) {
      return celError("no_such_field", `no such field: ${field}`);
    }
    const taken = take(value);
    if (isError(taken)) {
      return taken === UNSUPPORTED
        ? celError("conversion", `unsupported field type for ${message}.${field}: ${typeName(value)}`)
        : celError("conversion", `field type conversion error for ${message}.${field} value type: ${taken.message}`);
    }
    values.set(field, taken);
  }
  return values;
}

/** A repeated or map field has words of its own for what is neither. */
const UNSUPPORTED: CelError = celError("conversion", "unsupported field type");

function collection(fits: (value: Value) => boolean, take: Take): Take {
  return (value) => (fits(value) ? take(value) : UNSUPPORTED);
}

/** Clamped to what 64 bits of nanoseconds hold, as Go does. */
function makeDuration(values: Values): Value {
  const nanos = BigInt(intOf(values, "seconds")) * 1_000_000_000n + BigInt(intOf(values, "nanos"));
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
  return durationFromNanos(nanos > MAX_INT ? MAX_INT : nanos < MIN_INT ? MIN_INT : nanos);
}

/** Not limited to the years 1 to 9999, as in the reference; only arithmetic and parsing are. */
function makeTimestamp(values: Values): Value | CelError {
  const seconds = intOf(values, "seconds");
  const nanos = Number(intOf(values, "nanos"));
  const carry = Math.floor(nanos / 1e9);
  return typeof seconds === "bigint" ? timestampOverflow() : new Timestamp(seconds + carry, nanos - carry * 1e9);
}

const intOf = (values: Values, field: string): Int => (values.get(field) as Int | undefined) ?? 0;

const EMPTY: Type = struct("google.protobuf.Empty");

class EmptyMessage extends StructValue {
  override readonly type = EMPTY;
  override get(field: string): CelError {
    return celError("no_such_field", `no such field '${field}'`);
  }
  override has(field: string): CelError {
    return this.get(field);
  }
  override equals(other: Value): boolean {
    return other instanceof EmptyMessage;
  }
}
