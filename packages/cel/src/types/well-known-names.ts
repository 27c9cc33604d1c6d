// Protobuf messages that are CEL values of their own: the CEL form of each, and the message whose fields a literal may set.

import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapper,
} from "../value/type.ts";

/** Message names with the types that expressions see instead. */
export const WELL_KNOWN_TYPES: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["google.protobuf.BoolValue", wrapper(BOOL)],
  ["google.protobuf.BytesValue", wrapper(BYTES)],
  ["google.protobuf.DoubleValue", wrapper(DOUBLE)],
  ["google.protobuf.FloatValue", wrapper(DOUBLE)],
  ["google.protobuf.Int64Value", wrapper(INT)],
  ["google.protobuf.Int32Value", wrapper(INT)],
  ["google.protobuf.UInt64Value", wrapper(UINT)],
  ["google.protobuf.UInt32Value", wrapper(UINT)],
  ["google.protobuf.StringValue", wrapper(STRING)],
  ["google.protobuf.Any", ANY],
  ["google.protobuf.Duration", DURATION],
  ["google.protobuf.Timestamp", TIMESTAMP],
  ["google.protobuf.ListValue", listOf(DYN)],
  ["google.protobuf.NullValue", NULL],
  ["google.protobuf.Struct", mapOf(STRING, DYN)],
  ["google.protobuf.Value", DYN],
]);

/** The message that stands for a type when a literal is written in its name; undefined for types without one. */
export function wellKnownName(type: Type): string | undefined {
  switch (type.kind) {
    case "any":
      return "google.protobuf.Any";
    case "duration":
      return "google.protobuf.Duration";
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "dyn":
      return "google.protobuf.Value";
    case "null":
      return "google.protobuf.NullValue";
    case "list":
      return type.params[0] === DYN ? "google.protobuf.ListValue" : undefined;
    case "map":
      return type.params[0] === STRING && type.params[1] === DYN ? "google.protobuf.Struct" : undefined;
    case "wrapper":
      return wrapperName(type.params[0] as Type);
    default:
      return undefined;
  }
}

function wrapperName(of: Type): string | undefined {
  switch (of.kind) {
    case "bool":
      return "google.protobuf.BoolValue";
    case "bytes":
      return "google.protobuf.BytesValue";
    case "double":
      return "google.protobuf.DoubleValue";
    case "int":
      return "google.protobuf.Int64Value";
    case "string":
      return "google.protobuf.StringValue";
    case "uint":
      return "google.protobuf.UInt64Value";
    default:
      return undefined;
  }
}
