// The well-known protobuf messages without protobuf: literals such as `google.protobuf.Int64Value{value: 1}` make the CEL value
// that the message stands for. google.protobuf.Any needs descriptors and is not here.

import { boxDouble } from "@celadon/base";
import { isList, isMap } from "../value/box.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { MAX_INT, MIN_INT } from "../value/int.ts";
import { hasChange, type Release } from "../value/release.ts";
import { durationFromNanos, MIN_TIMESTAMP_SECONDS } from "../value/time/time.ts";
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
import { bareTypeOf, oldTypeOf, plainTypeOf, typeOf } from "../value/type-of.ts";
import { StructValue, Timestamp, Uint, type Value } from "../value/value.ts";
import { composeProviders } from "./compose-provider.ts";
import { type HostType, hostValue } from "./host-value.ts";
import { jsonObject } from "./json-value.ts";
import { createNamedProvider } from "./named-provider.ts";
import type { Field, StructType, TypeProvider } from "./provider.ts";
import { WELL_KNOWN_TYPES } from "./well-known-names.ts";

/** A field: its CEL type, and the Go type that values have to become. */
interface FieldRow {
  readonly type: Type;
  readonly take: (value: Value) => Value | CelError;
}

const row = (type: Type, host: HostType): FieldRow => ({ type, take: (value) => hostValue(value, host) });

type Values = ReadonlyMap<string, Value>;

/** The name of a value's type in the error if it does not fit. */
type TypeIn = (value: Value) => Type;

// biome-ignore format: one message per line
const structsNaming = (typeIn: TypeIn): ReadonlyMap<string, StructType> => new Map([
  wrapperOf(typeIn, "BoolValue",   row(BOOL, "bool"),    false),
  wrapperOf(typeIn, "BytesValue",  row(BYTES, "[]uint8"),   new Uint8Array()),
  wrapperOf(typeIn, "DoubleValue", row(DOUBLE, "float64"), boxDouble(0)),
  wrapperOf(typeIn, "FloatValue",  row(DOUBLE, "float32"), boxDouble(0)),
  wrapperOf(typeIn, "Int32Value",  row(INT, "int32"),   0),
  wrapperOf(typeIn, "Int64Value",  row(INT, "int64"),   0),
  wrapperOf(typeIn, "StringValue", row(STRING, "string"),  ""),
  wrapperOf(typeIn, "UInt32Value", row(UINT, "uint32"),  new Uint(0)),
  wrapperOf(typeIn, "UInt64Value", row(UINT, "uint64"),  new Uint(0)),
  message(typeIn, "Duration",  { seconds: row(INT, "int64"), nanos: row(INT, "int32") }, makeDuration),
  message(typeIn, "Timestamp", { seconds: row(INT, "int64"), nanos: row(INT, "int32") }, makeTimestamp),
  message(typeIn, "Struct",    { fields: collection(mapOf(STRING, DYN), "*structpb.Struct", isMap) }, (values) => values.get("fields") ?? jsonObject({})),
  message(typeIn, "ListValue", { values: collection(listOf(DYN), "*structpb.ListValue", isList) }, (values) => values.get("values") ?? []),
  message(typeIn, "Value", {
    null_value: row(INT, "protoreflect.EnumNumber"), number_value: row(DOUBLE, "float64"), string_value: row(STRING, "string"), bool_value: row(BOOL, "bool"),
    struct_value: row(mapOf(STRING, DYN), "*structpb.Struct"), list_value: row(listOf(DYN), "*structpb.ListValue"),
  }, makeValue),
  message(typeIn, "Empty", {}, () => new EmptyMessage()),
]);

/** The messages of `google.protobuf` that CEL treats as values of its own. */
export const wellKnownTypes: TypeProvider = provide(typeOf);

let before20: TypeProvider | undefined;
let before26: TypeProvider | undefined;
let before29: TypeProvider | undefined;

/** The same with the names of types of a release. */
export function wellKnownTypesOf(release: Release): TypeProvider {
  if (hasChange(release, "optionalsOfDyn")) return wellKnownTypes;
  if (hasChange(release, "listsOfDyn")) return (before29 ??= provide(bareTypeOf));
  if (hasChange(release, "optionalTypeNamed")) return (before26 ??= provide(plainTypeOf));
  return (before20 ??= provide(oldTypeOf));
}

function provide(typeIn: TypeIn): TypeProvider {
  const structs = structsNaming(typeIn);
  return composeProviders(
    {
      findStruct: (name) => structs.get(name),
      findIdent: () => undefined,
      hasPrefix: (first) => first === "google",
    },
    createNamedProvider([], [{ name: "google.protobuf.NullValue.NULL_VALUE", type: INT, value: 0 }]),
  );
}

function wrapperOf(typeIn: TypeIn, shortName: string, value: FieldRow, zero: Value): [string, StructType] {
  return message(typeIn, shortName, { value }, (values) => values.get("value") ?? zero);
}

function message(
  typeIn: TypeIn,
  shortName: string,
  rows: Readonly<Record<string, FieldRow>>,
  build: (values: Values) => Value | CelError,
): [string, StructType] {
  const name = `google.protobuf.${shortName}`;
  const fields = new Map(
    Object.entries(rows).map(([field, { type }]): [string, Field] => [field, { name: field, type }]),
  );
  const names = [...fields.keys()];
  const takes = new Map(Object.entries(rows).map(([field, { take }]): [string, FieldRow["take"]] => [field, take]));
  const type = WELL_KNOWN_TYPES.get(name) ?? struct(name);
  const create = (given: Values): Value | CelError => {
    const values = takeAll(name, takes, given, typeIn);
    return isError(values) ? values : build(values);
  };
  return [name, { type, field: (field) => fields.get(field), fieldNames: () => names, create }];
}

function takeAll(
  message: string,
  takes: ReadonlyMap<string, FieldRow["take"]>,
  given: Values,
  typeIn: TypeIn,
): Values | CelError {
  const values = new Map<string, Value>();
  for (const [field, value] of given) {
    const take = takes.get(field);
    if (take === undefined) {
      return celError("no_such_field", `no such field: ${field}`);
    }
    const taken = take(value);
    if (isError(taken)) {
      return taken === UNSUPPORTED
        ? celError("conversion", `unsupported field type for ${message}.${field}: ${typeIn(value)}`)
        : celError("conversion", `field type conversion error for ${message}.${field} value type: ${taken.message}`);
    }
    values.set(field, taken);
  }
  return values;
}

/** A repeated or map field has an error of its own for other values. */
const UNSUPPORTED: CelError = celError("conversion", "unsupported field type");

function collection(type: Type, host: HostType, fits: (value: Value) => boolean): FieldRow {
  return { type, take: (value) => (fits(value) ? hostValue(value, host) : UNSUPPORTED) };
}

/** The field that was set last; null, if a number was set to null. */
function makeValue(values: Values): Value {
  const last = [...values].at(-1);
  return last === undefined || last[0] === "null_value" ? null : last[1];
}

/** Clamped to what 64 bits of nanoseconds hold, as Go does. */
function makeDuration(values: Values): Value {
  const nanos = BigInt(intOf(values, "seconds")) * 1_000_000_000n + BigInt(intOf(values, "nanos"));
  // biome-ignore lint/complexity/useMathMinMax: Math.max takes no bigint
  return durationFromNanos(nanos > MAX_INT ? MAX_INT : nanos < MIN_INT ? MIN_INT : nanos);
}

/** Not limited to the years 1 to 9999, as in the reference; only arithmetic and parsing are. */
function makeTimestamp(values: Values): Timestamp {
  const seconds = intOf(values, "seconds");
  const nanos = Number(intOf(values, "nanos"));
  const carry = Math.floor(nanos / 1e9);
  return new Timestamp((typeof seconds === "bigint" ? wrapped(seconds) : seconds) + carry, nanos - carry * 1e9);
}

/** Go counts from the year 1 in 64 bits, which wraps; beyond 2^53 seconds are rounded here. */
function wrapped(seconds: bigint): number {
  const sinceYearOne = -BigInt(MIN_TIMESTAMP_SECONDS);
  return Number(BigInt.asIntN(64, seconds + sinceYearOne) - sinceYearOne);
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
  override isZero(): boolean {
    return true;
  }
}
