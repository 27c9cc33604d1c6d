import { create, createRegistry, fromBinary } from "@bufbuild/protobuf";
import {
  anyPack,
  BoolValueSchema,
  DescriptorProtoSchema,
  DurationSchema,
  FieldDescriptorProtoSchema,
  FieldMaskSchema,
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  file_google_protobuf_descriptor,
  file_google_protobuf_field_mask,
  Int64ValueSchema,
  ListValueSchema,
  StructSchema,
  TimestampSchema,
  UInt64ValueSchema,
  ValueSchema,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { mapFind, mapKeys } from "../value/collection/any-map.ts";
import { toArray } from "../value/collection/list.ts";
import { equal } from "../value/equal.ts";
import { CelError } from "../value/error.ts";
import { formatType, type Type } from "../value/type.ts";
import { Double, Duration, ListValue, MapValue, Timestamp, Uint, type Value } from "../value/value.ts";
import { isZeroValue } from "../value/zero.ts";
import { fromProto, type MessageValue, messageType, protoProvider } from "./index.ts";

const registry = createRegistry(file_google_protobuf_descriptor, file_google_protobuf_field_mask);
const provider = protoProvider(registry);

const make = (name: string, fields: Record<string, Value>): Value =>
  provider.findStruct(`google.protobuf.${name}`)?.create?.(new Map(Object.entries(fields)));

/** Views as the plain values they show. */
function plain(value: Value): Value {
  if (value instanceof ListValue) return toArray(value).map(plain);
  if (value instanceof MapValue)
    return Object.fromEntries(mapKeys(value).map((key) => [String(key), plain(mapFind(value, key))]));
  return value;
}

const struct = create(StructSchema, {
  fields: { n: create(ValueSchema, { kind: { case: "numberValue", value: 1 } }) },
});
const list = create(ListValueSchema, {
  values: [create(ValueSchema, { kind: { case: "stringValue", value: "a" } }), create(ValueSchema)],
});

// biome-ignore format: one case per line
const wellKnown = [
  { name: "wrapper",         message: create(Int64ValueSchema, { value: 5n }),                                 want: 5 },
  { name: "wide integer",    message: create(Int64ValueSchema, { value: 2n ** 62n }),                          want: 2n ** 62n },
  { name: "uint",            message: create(UInt64ValueSchema, { value: 2n ** 64n - 1n }),                    want: new Uint(2n ** 64n - 1n) },
  { name: "duration",        message: create(DurationSchema, { seconds: 1n, nanos: 5 }),                       want: new Duration(1, 5) },
  { name: "long duration",   message: create(DurationSchema, { seconds: 2n ** 40n }),                          want: new Duration(9223372036, 854775807) },
  { name: "timestamp",       message: create(TimestampSchema, { seconds: -1n, nanos: 5 }),                     want: new Timestamp(-1, 5) },
  { name: "value",           message: create(ValueSchema, { kind: { case: "numberValue", value: 2 } }),        want: new Double(2) },
  { name: "empty value",     message: create(ValueSchema),                                                     want: null },
  { name: "struct",          message: struct,                                                                  want: { n: new Double(1) } },
  { name: "list",            message: list,                                                                    want: ["a", null] },
  { name: "any of a scalar", message: anyPack(BoolValueSchema, create(BoolValueSchema, { value: true })),      want: true },
];
test.each(wellKnown)("reads a $name", ({ message, want }) => expect(plain(fromProto(message, registry))).toEqual(want));

test("an Any that cannot be unpacked is an error", () => {
  const unknown = anyPack(BoolValueSchema, create(BoolValueSchema));
  unknown.typeUrl = "type.googleapis.com/no.Such";
  expect(fromProto(unknown, registry)).toEqual(
    new CelError("conversion", "unmarshal dynamic any failed: proto: not found"),
  );
});

test("a message of no registered type is an error", () => {
  expect(fromProto({ $typeName: "no.Such" }, registry)).toEqual(new CelError("conversion", "unknown type: 'no.Such'"));
});

// biome-ignore format: one field per line
const fieldTypes = [
  { of: "FieldDescriptorProto", field: "name",           want: "string" },
  { of: "FieldDescriptorProto", field: "number",         want: "int" },
  { of: "FieldDescriptorProto", field: "label",          want: "int" },
  { of: "FieldDescriptorProto", field: "options",        want: "google.protobuf.FieldOptions" },
  { of: "DescriptorProto",      field: "field",          want: "list(google.protobuf.FieldDescriptorProto)" },
  { of: "Struct",               field: "fields",         want: "map(string, dyn)" },
  { of: "Value",                field: "struct_value",   want: "map(string, dyn)" },
  { of: "Value",                field: "number_value",   want: "double" },
  { of: "Value",                field: "null_value",     want: "int" },
  { of: "UInt64Value",          field: "value",          want: "uint" },
  { of: "FieldDescriptorProto", field: "jsonName",       want: undefined },
];
test.each(fieldTypes)("$of.$field is $want", ({ of, field, want }) => {
  const type: Type | undefined = provider.findStruct(`google.protobuf.${of}`)?.field(field)?.type;
  expect(type === undefined ? undefined : formatType(type)).toBe(want);
});

test("names: types, enum members, prefixes", () => {
  expect(provider.findIdent("google.protobuf.DescriptorProto")).toMatchObject({
    kind: "struct",
    name: "google.protobuf.DescriptorProto",
  });
  expect(provider.findIdent("google.protobuf.FieldDescriptorProto.Type.TYPE_INT64")).toMatchObject({ value: 3 });
  expect(provider.findIdent("google.protobuf.FieldDescriptorProto.Type.NONE")).toBeUndefined();
  expect(provider.findIdent("google.protobuf.Nothing")).toBeUndefined();
  expect([provider.hasPrefix?.("google"), provider.hasPrefix?.("object")]).toEqual([true, false]);
});

test("presence and defaults of proto2 fields", () => {
  const value = fromProto(create(FieldDescriptorProtoSchema, { name: "", number: 7 }), registry) as MessageValue;
  expect([value.has("name"), value.has("number"), value.has("label"), value.has("options")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([value.get("name"), value.get("number"), value.get("json_name"), value.get("label")]).toEqual(["", 7, "", 1]);
  expect((value.get("options") as MessageValue).get("ctype")).toBe(0);
  expect(value.get("no_such")).toEqual(new CelError("no_such_field", "no such field 'no_such'"));
});

test("repeated scalars are the message's own array", () => {
  const message = create(FieldMaskSchema, { paths: ["a", "b"] });
  expect((fromProto(message, registry) as MessageValue).get("paths")).toBe(message.paths);
});

// biome-ignore format: one literal per line
const literals = [
  { of: "Int64Value",           fields: { value: 1 },                              want: 1 },
  { of: "FloatValue",           fields: { value: 0.1 },                            want: Math.fround(0.1) },
  { of: "Duration",             fields: { seconds: 3 },                            want: new Duration(3, 0) },
  { of: "Value",                fields: { number_value: 1.5 },                     want: 1.5 },
  { of: "Value",                fields: {},                                        want: null },
  { of: "Struct",               fields: { fields: { a: 1, b: [true, null] } },     want: { a: new Double(1), b: [true, null] } },
  { of: "ListValue",            fields: { values: [2n ** 60n, new Uint(2)] },      want: [String(2n ** 60n), new Double(2)] },
  { of: "ListValue",            fields: { values: [new Uint8Array([1]), new Duration(1, 5e8)] },  want: ["AQ==", "1.5s"] },
];
test.each(literals)("$of$fields", ({ of, fields, want }) => expect(plain(make(of, fields))).toEqual(want));

const failed = (field: string, why: string): string =>
  `field type conversion error for google.protobuf.${field} value type: ${why}`;

// biome-ignore format: one literal per line
const badLiterals = [
  { of: "Int64Value",           fields: { nope: 1 },                  want: "no such field: nope" },
  { of: "Int64Value",           fields: { value: "a" },               want: failed("Int64Value.value", "unsupported native conversion from string to 'int64'") },
  { of: "Int32Value",           fields: { value: 2147483648 },        want: failed("Int32Value.value", "integer overflow") },
  { of: "UInt32Value",          fields: { value: new Uint(2 ** 32) }, want: failed("UInt32Value.value", "unsigned integer overflow") },
  { of: "FieldDescriptorProto", fields: { name: null },               want: failed("FieldDescriptorProto.name", "type conversion error from 'null_type' to 'string'") },
  { of: "FieldDescriptorProto", fields: { options: 1 },               want: failed("FieldDescriptorProto.options", "unsupported type conversion from 'int' to *dynamicpb.Message") },
  { of: "FieldMask",            fields: { paths: "a" },               want: "unsupported field type for google.protobuf.FieldMask.paths: string" },
  { of: "FieldMask",            fields: { paths: [1] },               want: failed("FieldMask.paths", "unsupported type conversion from 'int' to string") },
  { of: "Value",                fields: { struct_value: null },       want: failed("Value.struct_value", "type conversion error from 'null_type' to '*structpb.Struct'") },
];
test.each(badLiterals)("$of$fields fails", ({ of, fields, want }) =>
  expect((make(of, fields) as CelError).message).toBe(want),
);

test("null leaves a message field unset, an optional sets its value", () => {
  const value = make("FieldDescriptorProto", { options: null, number: 3 }) as MessageValue;
  expect([value.has("options"), value.get("number")]).toEqual([false, 3]);
});

test("literals nest", () => {
  const field = make("FieldDescriptorProto", { name: "f", number: 1 });
  const value = make("DescriptorProto", { name: "M", field: [field] }) as MessageValue;
  expect(value.message).toEqual(
    create(DescriptorProtoSchema, { name: "M", field: [create(FieldDescriptorProtoSchema, { name: "f", number: 1 })] }),
  );
});

test("__proto__ is an ordinary key", () => {
  const fields = { ["__proto__"]: 1 };
  const value = make("Struct", { fields }) as MapValue;
  expect([...value.keys()]).toEqual(["__proto__"]);
  expect(value.find("constructor")).toBeUndefined();
});

const message = (fields: Parameters<typeof create<typeof FieldDescriptorProtoSchema>>[1]): Value =>
  fromProto(create(FieldDescriptorProtoSchema, fields), registry);

// biome-ignore format: one pair per line
const equalities = [
  { a: message({ name: "a" }),                        b: message({ name: "a" }),                       want: true },
  { a: message({ name: "a" }),                        b: message({ name: "b" }),                       want: false },
  { a: message({ name: "" }),                         b: message({}),                                  want: false },
  { a: message({ options: {} }),                      b: message({ options: {} }),                     want: true },
  { a: message({ options: { deprecated: true } }),    b: message({ options: {} }),                     want: false },
  { a: message({}),                                   b: fromProto(create(DescriptorProtoSchema), registry), want: false },
  { a: message({}),                                   b: "text",                                       want: false },
];
test.each(equalities)("equality $#: $want", ({ a, b, want }) =>
  expect([equal(a, b), equal(b, a)]).toEqual([want, want]),
);

test("an empty message is a zero value", () => {
  expect([isZeroValue(message({})), isZeroValue(message({ name: "" }))]).toEqual([true, false]);
});

test("unknown fields count in equality, whatever the order of different ones", () => {
  const bytes = (...fields: number[]): Value =>
    fromProto(fromBinary(FileDescriptorProtoSchema, Uint8Array.from(fields)), registry);
  const items = [0xc8, 0x3e, 1];
  const two = [0xd0, 0x3e, 2];
  expect(equal(bytes(...items, ...two), bytes(...two, ...items))).toBe(true);
  expect(equal(bytes(...items), bytes(...two))).toBe(false);
  expect(equal(bytes(...items), bytes())).toBe(false);
});

test("variables can hold messages as the host has them", () => {
  const type = messageType(FieldOptionsSchema, registry);
  expect(formatType(type)).toBe("google.protobuf.FieldOptions");
  const value = type.adapter?.toValue(create(FieldOptionsSchema, { packed: true })) as MessageValue;
  expect(value.get("packed")).toBe(true);
  expect(type.adapter?.toValue(value)).toBe(value);
  expect(type.adapter?.toValue(null)).toBe(null);
});
