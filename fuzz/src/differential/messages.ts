// Protobuf's messages as Kubernetes' expressions can write them.

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
  STRING,
  struct,
  TIMESTAMP,
  type Type,
  UINT,
} from "@celadon/cel";

export interface Message {
  readonly name: string;
  /** The type of a literal for the checker, near enough. */
  readonly type: Type;
  readonly fields: readonly { readonly name: string; readonly type: Type }[];
}

const message = (name: string, type: Type, fields: Readonly<Record<string, Type>>): Message => ({
  name: `google.protobuf.${name}`,
  type,
  fields: Object.entries(fields).map(([field, of]) => ({ name: field, type: of })),
});

// biome-ignore format: one message per line
export const MESSAGES: readonly Message[] = [
  message("BoolValue",   BOOL,   { value: BOOL }),
  message("BytesValue",  BYTES,  { value: BYTES }),
  message("DoubleValue", DOUBLE, { value: DOUBLE }),
  message("FloatValue",  DOUBLE, { value: DOUBLE }),
  message("Int32Value",  INT,    { value: INT }),
  message("Int64Value",  INT,    { value: INT }),
  message("StringValue", STRING, { value: STRING }),
  message("UInt32Value", UINT,   { value: UINT }),
  message("UInt64Value", UINT,   { value: UINT }),
  message("Duration",    DURATION,  { seconds: INT, nanos: INT }),
  message("Timestamp",   TIMESTAMP, { seconds: INT, nanos: INT }),
  message("Struct",      mapOf(STRING, DYN), { fields: mapOf(STRING, DYN) }),
  message("ListValue",   listOf(DYN), { values: listOf(DYN) }),
  message("Value",       DYN,    { null_value: INT, number_value: DOUBLE, string_value: STRING, bool_value: BOOL, struct_value: mapOf(STRING, DYN), list_value: listOf(DYN) }),
  message("Any",         ANY,    { type_url: STRING, value: BYTES }),
  message("Empty",       struct("google.protobuf.Empty"), {}),
];
