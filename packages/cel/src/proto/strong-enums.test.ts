import { create, createRegistry } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_TypeSchema,
  FieldDescriptorProtoSchema,
  file_google_protobuf_descriptor,
} from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { equal } from "../value/equal.ts";
import { CelError } from "../value/error.ts";
import { typeName } from "../value/type-of.ts";
import { EnumValue, enumLibrary, fromProto, type MessageValue, protoProvider } from "./index.ts";

const registry = createRegistry(file_google_protobuf_descriptor);
const provider = protoProvider(registry, { enums: "strong" });
const name = FieldDescriptorProto_TypeSchema.typeName;
const id = "google_protobuf_FieldDescriptorProto_Type";
const call = (overload: string, arg: unknown): unknown =>
  enumLibrary(registry)
    .overloads.find((row) => row.id === overload)
    ?.call?.(arg);

const INT64 = 3;
const member = (number: number): unknown => call(`int_to_${id}`, number);

test("members are values of their enum", () => {
  expect(provider.findIdent(`${name}.TYPE_INT64`)).toMatchObject({ type: { name }, value: { number: INT64 } });
  expect(provider.findIdent(name)).toMatchObject({ kind: "opaque", name });
  expect(typeName(member(INT64))).toBe(name);
  expect([equal(member(1), member(1)), equal(member(1), member(2)), equal(member(1), 1)]).toEqual([true, false, false]);
});

test("fields hold and show them", () => {
  const value = fromProto(create(FieldDescriptorProtoSchema, { type: INT64 }), registry, {
    enums: "strong",
  }) as MessageValue;
  expect(value.get("type")).toEqual(member(INT64));
  const struct = provider.findStruct("google.protobuf.FieldDescriptorProto");
  expect(struct?.field("type")?.type.name).toBe(name);
  const made = struct?.create?.(new Map([["type", member(INT64)]])) as MessageValue;
  expect(made.message).toEqual(value.message);
});

// biome-ignore format: one conversion per line
const conversions = [
  { overload: `int_to_${id}`,    arg: 99,           want: (value: unknown) => value instanceof EnumValue && value.number === 99 },
  { overload: `int_to_${id}`,    arg: 5_000_000_000, want: (value: unknown) => value instanceof CelError && value.code === "overflow" },
  { overload: `string_to_${id}`, arg: "TYPE_INT64", want: (value: unknown) => value instanceof EnumValue && value.number === INT64 },
  { overload: `string_to_${id}`, arg: "TYPE_NONE",  want: (value: unknown) => value instanceof CelError && value.code === "conversion" },
  { overload: `${id}_to_int`,    arg: member(7),    want: (value: unknown) => value === 7 },
];
test.each(conversions)("$overload($arg)", ({ overload, arg, want }) => expect(want(call(overload, arg))).toBe(true));
