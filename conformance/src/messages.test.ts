// Messages that expressions build: every value written into a field is read back, also after a trip through the wire format.

import { TestAllTypesSchema as Proto2Schema } from "@bufbuild/cel-spec/cel/expr/conformance/proto2/test_all_types_pb.js";
import { TestAllTypesSchema as Proto3Schema } from "@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  boxDouble,
  Duration,
  equal,
  fromProto,
  type MessageValue,
  protoProvider,
  Timestamp,
  toInt,
  Uint,
  type Value,
} from "./engine.ts";
import { registry } from "./registry.ts";
import { show } from "./values.ts";

const provider = protoProvider(registry);

const int32 = fc.integer();
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(toInt);
const uint32 = fc.nat({ max: 2 ** 32 - 1 }).map((value) => new Uint(value));
const uint64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => new Uint(toInt(value)));
// Negative zero is lost on the wire where it counts as unset.
const double = fc.double({ noNaN: true }).map((value) => boxDouble(value + 0));
const float = fc.float({ noNaN: true }).map((value) => boxDouble(value + 0));
const string = fc.string({ unit: "binary" });
const bytes = fc.uint8Array();
const duration = fc
  .record({ seconds: fc.integer(), nanos: fc.nat({ max: 999_999_999 }) })
  .map(({ seconds, nanos }) => new Duration(seconds, seconds < 0 ? -nanos : nanos));
const timestamp = fc
  .record({ seconds: fc.integer(), nanos: fc.nat({ max: 999_999_999 }) })
  .map(({ seconds, nanos }) => new Timestamp(seconds, nanos));
const json = fc.jsonValue({ maxDepth: 2 }).map(withDoubles);

/** JSON as it comes out of google.protobuf.Value: every number a double. */
function withDoubles(value: unknown): Value {
  if (typeof value === "number") return boxDouble(value + 0);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}

// biome-ignore format: one field per line
const fields: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  single_int32: int32, single_int64: int64, single_uint32: uint32, single_uint64: uint64,
  single_sint32: int32, single_sint64: int64, single_fixed32: uint32, single_fixed64: uint64,
  single_sfixed32: int32, single_sfixed64: int64, single_float: float, single_double: double,
  single_bool: fc.boolean(), single_string: string, single_bytes: bytes,
  single_duration: duration, single_timestamp: timestamp,
  single_int64_wrapper: int64, single_int32_wrapper: int32, single_uint64_wrapper: uint64, single_uint32_wrapper: uint32,
  single_double_wrapper: double, single_float_wrapper: float, single_bool_wrapper: fc.boolean(),
  single_string_wrapper: string, single_bytes_wrapper: bytes,
  single_value: json, single_any: fc.oneof(int64, uint64, double, string, bytes, fc.boolean(), duration, timestamp),
  list_value: fc.array(json), single_struct: fc.dictionary(string, json), standalone_enum: fc.integer({ min: 0, max: 2 }),
  repeated_int64: fc.array(int64), repeated_double: fc.array(double), repeated_string: fc.array(string), repeated_bytes: fc.array(bytes),
  map_string_string: fc.dictionary(string, string), map_string_double: fc.dictionary(string, double),
};

describe.each([Proto2Schema, Proto3Schema])("$typeName", (schema) => {
  const struct = provider.findStruct(schema.typeName);
  const make = (values: object): MessageValue => struct?.create?.(new Map(Object.entries(values))) as MessageValue;

  test("a written message is read, before and after serialization", () => {
    fc.assert(
      fc.property(fc.record(fields, { requiredKeys: [] }), (values) => {
        const message = make(values);
        const copy = fromProto(
          fromBinary(schema, toBinary(schema, message.message as never)),
          registry,
        ) as MessageValue;
        expect(equal(message, copy)).toBe(true);
        for (const [name, value] of Object.entries(values)) {
          expect(show(message.get(name))).toBe(show(value));
          expect(show(copy.get(name))).toBe(show(value));
          expect(equal(message.get(name), value)).toBe(true);
        }
      }),
    );
  });

  test("a message with another value in one field is another message", () => {
    const names = Object.keys(fields);
    fc.assert(
      fc.property(fc.record(fields), fc.record(fields), fc.constantFrom(...names), (values, others, name) => {
        const [a, b] = [make(values), make({ ...values, [name]: others[name] })];
        expect(equal(a, b)).toBe(show(a.get(name)) === show(b.get(name)));
        expect(equal(a, b)).toBe(equal(b, a));
      }),
    );
  });
});
