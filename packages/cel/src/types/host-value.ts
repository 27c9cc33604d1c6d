// The values that a field of a message takes: the value as one of Go's types, converted, range-checked and refused as cel-go's values do it
// (each type's ConvertToNative), with its words.

import { boxDouble } from "@celadon/base";
import { bareDouble, isDouble, isInt, isList, isMap, isUint } from "../value/box.ts";
import { type AnyMap, mapFind, mapKeys } from "../value/collection/any-map.ts";
import { type List, listIterate } from "../value/collection/list.ts";
import { conversionError } from "../value/conversion-error.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { intOverflow, uintOverflow } from "../value/int.ts";
import { formatValue } from "../value/text/format-go.ts";
import type { Int } from "../value/type.ts";
import { typeName } from "../value/type-of.ts";
import { Opaque, Optional, StructValue, type Value } from "../value/value.ts";
import { jsonList, jsonObject, jsonValue } from "./json-value.ts";
import { upperCamelCase } from "./upper-camel-case.ts";

/** A type of Go that a result is converted to. */
export type HostType =
  | "bool"
  | "int32"
  | "int64"
  | "uint8"
  | "uint32"
  | "uint64"
  | "float32"
  | "float64"
  | "string"
  | "[]uint8"
  | "protoreflect.EnumNumber"
  | "*structpb.Value"
  | "*structpb.Struct"
  | "*structpb.ListValue"
  | "[]*structpb.Value";

/** Takes a value as it is kept, an error, or undefined for one of another type. */
type Take = (value: Value) => Value | CelError | undefined;

const within = (value: Int, min: number, max: number): boolean => value >= min && value <= max;
const int32: Take = (v) => (isInt(v) ? (within(v, -0x80000000, 0x7fffffff) ? v : intOverflow()) : undefined);
const uint =
  (max: number): Take =>
  (v) =>
    isUint(v) ? (within(v.value, 0, max) ? v : uintOverflow()) : undefined;

// biome-ignore format: one type per line
const TYPES: Readonly<Record<HostType, Take>> = {
  bool:    (v) => (typeof v === "boolean" ? v : undefined),
  int32,
  int64:   (v) => (isInt(v) ? v : undefined),
  uint8:   uint(0xff),
  uint32:  uint(0xffffffff),
  uint64:  (v) => (isUint(v) ? v : undefined),
  float32: (v) => (isDouble(v) ? boxDouble(Math.fround(bareDouble(v))) : undefined),
  float64: (v) => (isDouble(v) ? v : undefined),
  string:  (v) => (typeof v === "string" ? v : v instanceof Opaque ? v.hostText : undefined),
  "[]uint8": (v) => (v instanceof Uint8Array ? v : isList(v) ? bytesOf(v) : undefined),
  "protoreflect.EnumNumber": int32,
  "*structpb.Value":     jsonValue,
  "*structpb.Struct":    (v) => (isMap(v) ? jsonObject(v) : notMerged(v, "Struct")),
  "*structpb.ListValue": (v) => (isList(v) ? jsonList(v) : isMap(v) ? listOfFields(v) : notMerged(v, "ListValue")),
  "[]*structpb.Value":   (v) => (isList(v) ? jsonList(v) : undefined),
};

/** Converts a result to a Go type, as cel-go does for fields of messages, or returns why it cannot. */
export function hostValue(value: Value, target: HostType): Value | CelError {
  if (isError(value)) return value;
  if (value instanceof Optional)
    return value.hasValue ? hostValue(value.value, target) : celError("conversion", "optional.none() dereference");
  const taken = TYPES[target](value);
  return taken === undefined ? conversionError(value, target) : taken;
}

/** A list counts as bytes if every element counts as one. */
function bytesOf(list: List): Uint8Array | CelError {
  const bytes: number[] = [];
  for (const item of listIterate(list)) {
    const byte = hostValue(item, "uint8");
    if (isError(byte)) return byte;
    bytes.push(Number((byte as { readonly value: Int }).value));
  }
  return new Uint8Array(bytes);
}

/** A message where another one is wanted. */
function notMerged(value: Value, wanted: string): CelError | undefined {
  if (!(value instanceof StructValue)) return undefined;
  const types = `google.protobuf.${wanted}, ${value.type.name}`;
  return celError("conversion", `type conversion error: pb.Merge() arguments must be the same type. got: ${types}`);
}

/** A map counts as a message of generated code by the names of its fields: a list message has one. */
function listOfFields(map: AnyMap): Value | CelError {
  let values: Value | CelError = [];
  for (const key of mapKeys(map)) {
    const name = fieldName(key);
    if (isError(name)) return name;
    if (name !== "Values")
      return celError("conversion", `type conversion error, no such field '${name}' in type 'structpb.ListValue'`);
    values = hostValue(mapFind(map, key), "[]*structpb.Value");
    if (isError(values)) return values;
  }
  return values;
}

function fieldName(key: Value): string | CelError {
  switch (typeof key) {
    case "string":
      return upperCamelCase(key);
    case "number":
    case "bigint":
    case "boolean":
      return upperCamelCase(formatValue(key));
    default:
      if (isDouble(key) || isUint(key)) return upperCamelCase(formatValue(key));
      return celError("conversion", `type conversion error from '${typeName(key)}' to 'string'`);
  }
}
