// The type names that every environment knows.

import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  LIST,
  MAP,
  NULL,
  opaque,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  UINT,
} from "../value/type.ts";

/** `bool`, `list`, `google.protobuf.Duration`; the short `duration` and `timestamp` are functions only. */
export const standardIdents: ReadonlyMap<string, Type> = new Map(
  [BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT].map((type) => [type.name, type]),
);

/** The meaning of the name `optional_type` where optionals are enabled. */
export const OPTIONAL_TYPE: Type = opaque("optional_type");
