// The run-time type of a value: what `type(x)` answers, its name for messages, and the reference's Go name for the few
// messages that show one.

import { CelError } from "./error.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  LIST,
  MAP,
  NULL,
  OLD_OPTIONAL_NAME,
  opaque,
  STRING,
  TIMESTAMP,
  TYPE,
  Type,
  UINT,
  UNTYPED_LIST,
  UNTYPED_MAP,
} from "./type.ts";
import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Uint,
  type Value,
} from "./value.ts";

/** The type every optional has at run time, with any content. */
export const OPTIONAL: Type<Optional> = opaque("optional_type", DYN);
/** The same before cel-go 0.29. */
export const BARE_OPTIONAL: Type<Optional> = opaque("optional_type");
/** The same before cel-go 0.20. */
const OLD_OPTIONAL: Type<Optional> = opaque(OLD_OPTIONAL_NAME);

/** The type of a value as releases before 0.29 have it. */
export function bareTypeOf(v: Value): Type {
  const type = typeOf(v);
  return type === OPTIONAL ? BARE_OPTIONAL : type;
}

/** The type of a value as releases before 0.26 have it. */
export function plainTypeOf(v: Value): Type {
  const type = typeOf(v);
  if (type === LIST) return UNTYPED_LIST;
  if (type === MAP) return UNTYPED_MAP;
  return type === OPTIONAL ? BARE_OPTIONAL : type;
}

/** The type of a value as releases before 0.20 have it. */
export function oldTypeOf(v: Value): Type {
  const type = plainTypeOf(v);
  return type === BARE_OPTIONAL ? OLD_OPTIONAL : type;
}

/** The type of a value, as `type(x)` has it. */
export function typeOf(v: Value): Type {
  switch (typeof v) {
    case "string":
      return STRING;
    case "number":
      return Number.isSafeInteger(v) ? INT : DOUBLE;
    case "boolean":
      return BOOL;
    case "bigint":
      return INT;
    case "object":
      return v === null ? NULL : typeOfObject(v);
    case "undefined":
      return NULL;
    default:
      return ERROR;
  }
}

function typeOfObject(v: object): Type {
  if (Array.isArray(v)) return LIST;
  const proto: unknown = Object.getPrototypeOf(v);
  if (proto === Object.prototype || proto === null) return MAP;
  if (v instanceof MapValue) return MAP;
  if (v instanceof ListValue) return LIST;
  if (v instanceof Double) return DOUBLE;
  if (v instanceof Uint) return UINT;
  if (v instanceof Uint8Array) return BYTES;
  if (v instanceof Timestamp) return TIMESTAMP;
  if (v instanceof Duration) return DURATION;
  if (v instanceof Optional) return OPTIONAL;
  if (v instanceof Type) return TYPE;
  if (v instanceof Opaque || v instanceof StructValue) return v.type;
  return ERROR;
}

/** The name of a value's type. */
export function typeName(v: Value): string {
  return typeOf(v).name;
}

const GO_NAMES: Readonly<Record<string, string>> = {
  bool: "types.Bool",
  bytes: "types.Bytes",
  double: "types.Double",
  duration: "types.Duration",
  int: "types.Int",
  list: "*types.baseList",
  map: "*types.baseMap",
  null: "types.Null",
  string: "types.String",
  timestamp: "types.Timestamp",
  type: "*types.Type",
  uint: "types.Uint",
};

/** The name that Go's %T gives a value: `got 'types.Int', expected iterable type`. A library's types say it themselves. */
export function goTypeName(v: Value): string {
  if (v instanceof CelError) return "*types.Err";
  if (v instanceof Optional) return "*types.Optional";
  if (v instanceof Opaque && v.goType !== undefined) return v.goType;
  if (v instanceof StructValue) return "*types.protoObj";
  const type = typeOf(v);
  return GO_NAMES[type.kind] ?? type.name;
}
