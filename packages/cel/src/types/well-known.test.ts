// Answers recorded from the reference implementation for literals of well-known messages.

import { describe, expect, test } from "vitest";
import { CelMap } from "../value/collection/map.ts";
import { isError } from "../value/error.ts";
import { formatType } from "../value/type.ts";
import { Double, Duration, Timestamp, Uint, type Value } from "../value/value.ts";
import { wellKnownTypes } from "./well-known.ts";

function create(name: string, fields: Readonly<Record<string, Value>>): unknown {
  const made = wellKnownTypes.findStruct(`google.protobuf.${name}`)?.create?.(new Map(Object.entries(fields)));
  if (isError(made)) {
    return `error: ${made.message}`;
  }
  return made instanceof CelMap ? Object.fromEntries(made.entries() as Iterable<[string, Value]>) : made;
}

const conversion = (field: string, why: string): string =>
  `error: field type conversion error for google.protobuf.${field} value type: ${why}`;

// biome-ignore format: one case per line
const cases: { of: string; fields: Record<string, Value>; want: unknown }[] = [
  { of: "Int64Value",  fields: { value: 1 },                       want: 1 },
  { of: "Int64Value",  fields: {},                                 want: 0 },
  { of: "Int32Value",  fields: { value: 3000000000 },              want: conversion("Int32Value.value", "integer overflow") },
  { of: "UInt32Value", fields: { value: new Uint(3000000000) },    want: new Uint(3000000000) },
  { of: "UInt32Value", fields: { value: new Uint(5000000000) },    want: conversion("UInt32Value.value", "unsigned integer overflow") },
  { of: "UInt64Value", fields: {},                                 want: new Uint(0) },
  { of: "BoolValue",   fields: {},                                 want: false },
  { of: "BytesValue",  fields: { value: Uint8Array.of(97) },       want: Uint8Array.of(97) },
  { of: "DoubleValue", fields: { value: new Double(1) },           want: new Double(1) },
  { of: "DoubleValue", fields: {},                                 want: new Double(0) },
  { of: "FloatValue",  fields: { value: 1.1 },                     want: 1.100000023841858 },
  { of: "FloatValue",  fields: { value: 1e300 },                   want: Number.POSITIVE_INFINITY },
  { of: "StringValue", fields: { value: "a" },                     want: "a" },
  { of: "Int64Value",  fields: { value: "a" },                     want: conversion("Int64Value.value", "unsupported native conversion from string to 'int64'") },
  { of: "Int64Value",  fields: { value: new Uint(1) },             want: conversion("Int64Value.value", "unsupported type conversion from 'uint' to int64") },
  { of: "Int64Value",  fields: { value: 1.5 },                     want: conversion("Int64Value.value", "type conversion error from Double to 'int64'") },
  { of: "Int64Value",  fields: { value: null },                    want: conversion("Int64Value.value", "type conversion error from 'null_type' to 'int64'") },
  { of: "StringValue", fields: { value: 1 },                       want: conversion("StringValue.value", "unsupported type conversion from 'int' to string") },
  { of: "BytesValue",  fields: { value: "a" },                     want: conversion("BytesValue.value", "unsupported native conversion from string to '[]uint8'") },
  { of: "Duration",    fields: { seconds: 1, nanos: -5 },          want: new Duration(0, 999999995) },
  { of: "Duration",    fields: { seconds: 1, nanos: 2000000000 },  want: new Duration(3, 0) },
  { of: "Duration",    fields: { seconds: 1, nanos: 3000000000 },  want: conversion("Duration.nanos", "integer overflow") },
  { of: "Duration",    fields: { seconds: 1000000000000 },         want: new Duration(9223372036, 854775807) },
  { of: "Duration",    fields: { seconds: 9223372036854775807n },  want: new Duration(9223372036, 854775807) },
  { of: "Timestamp",   fields: { seconds: 1, nanos: -5 },          want: new Timestamp(0, 999999995) },
  { of: "Timestamp",   fields: { seconds: 1, nanos: 2000000000 },  want: new Timestamp(3, 0) },
  { of: "Timestamp",   fields: { seconds: 1000000000000 },         want: new Timestamp(1000000000000, 0) },
  { of: "Struct",      fields: {},                                 want: {} },
  { of: "Struct",      fields: { fields: { a: 1, b: [2], c: { d: null } } }, want: { a: new Double(1), b: [new Double(2)], c: CelMap.from([["d", null]]) } },
  { of: "Struct",      fields: { fields: { big: 9223372036854775807n, bytes: Uint8Array.of(255), wait: new Duration(1, 500000000) } }, want: { big: "9223372036854775807", bytes: "/w==", wait: "1.5s" } },
  { of: "Struct",      fields: { fields: CelMap.from([[1, 1]]) },  want: conversion("Struct.fields", "unsupported type conversion from 'int' to string") },
  { of: "Struct",      fields: { fields: 1 },                      want: "error: unsupported field type for google.protobuf.Struct.fields: int" },
  { of: "Struct",      fields: { fields: null },                   want: "error: unsupported field type for google.protobuf.Struct.fields: null_type" },
  { of: "ListValue",   fields: { values: [[1], "a", null] },       want: [[new Double(1)], "a", null] },
  { of: "ListValue",   fields: { values: 1 },                      want: "error: unsupported field type for google.protobuf.ListValue.values: int" },
  { of: "Value",       fields: {},                                 want: null },
  { of: "Value",       fields: { number_value: new Double(1) },    want: new Double(1) },
  { of: "Value",       fields: { null_value: 5 },                  want: null },
  { of: "Value",       fields: { list_value: [1] },                want: [new Double(1)] },
  { of: "Value",       fields: { struct_value: { a: 1 } },         want: { a: new Double(1) } },
];

describe("literals", () => {
  test.each(cases)("$of $fields", ({ of, fields, want }) => {
    expect(create(of, fields)).toEqual(want);
  });
  test("two empty messages are equal", () => {
    const empty = create("Empty", {}) as { equals(other: Value): boolean };
    expect(empty.equals(create("Empty", {}))).toBe(true);
    expect(empty.equals({})).toBe(false);
  });
});

// biome-ignore format: one type per line
const types = [
  { name: "Int32Value", want: "wrapper(int)" },
  { name: "FloatValue", want: "wrapper(double)" },
  { name: "Struct",     want: "map(string, dyn)" },
  { name: "ListValue",  want: "list(dyn)" },
  { name: "Value",      want: "dyn" },
  { name: "Timestamp",  want: "timestamp" },
  { name: "Empty",      want: "google.protobuf.Empty" },
];
test.each(types)("$name is $want in expressions", ({ name, want }) => {
  const found = wellKnownTypes.findStruct(`google.protobuf.${name}`);
  expect(found && formatType(found.type)).toBe(want);
});

test("absent names are absent", () => {
  const found = wellKnownTypes.findStruct("google.protobuf.Int64Value");
  expect(found?.field("constructor")).toBeUndefined();
  expect(wellKnownTypes.findStruct("google.protobuf.NullValue")).toBeUndefined();
  expect(wellKnownTypes.findIdent("google.protobuf.NullValue.NULL_VALUE")).toMatchObject({ value: 0 });
});
