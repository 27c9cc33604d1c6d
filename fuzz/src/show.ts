// A value as text, for comparing: two values show alike only if CEL could not tell them apart.

import {
  Double,
  Duration,
  ListValue,
  MapValue,
  Opaque,
  Optional,
  StructValue,
  Timestamp,
  Type,
  Uint,
} from "@celadon/cel";

/** Deep enough for any expression; data that contains itself stops here. */
const DEEPEST = 20;

export function show(value: unknown, depth = 0): string {
  if (depth > DEEPEST) return "…";
  const inner = (part: unknown): string => show(part, depth + 1);
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}`;
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map(inner).join(", ")}]`;
  if (value instanceof Double) return `double(${Object.is(value.value, -0) ? "-0" : value.value})`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b[${value.join(" ")}]`;
  if (value instanceof Timestamp) return `timestamp(${value.seconds}.${value.nanos} ${value.offsetMinutes})`;
  if (value instanceof Duration) return `duration(${value.seconds}.${value.nanos})`;
  if (value instanceof Optional) return value.hasValue ? `optional(${inner(value.value)})` : "optional()";
  if (value instanceof Type) return `type(${value.name})`;
  if (value instanceof ListValue) {
    return `[${Array.from({ length: value.size }, (_, i) => inner(value.get(i))).join(", ")}]`;
  }
  if (value instanceof MapValue) {
    return `{${Array.from(value.keys(), (key) => `${inner(key)}: ${inner(value.find(key))}`).join(", ")}}`;
  }
  if (value instanceof StructValue || value instanceof Opaque) return `${value.type.name}(${fields(value, inner)})`;
  return `{${fields(value, inner)}}`;
}

function fields(value: object, inner: (part: unknown) => string): string {
  try {
    return Object.entries(value)
      .map(([key, part]) => `${JSON.stringify(key)}: ${inner(part)}`)
      .join(", ");
  } catch (thrown) {
    return `unreadable: ${thrown}`; // a getter or a proxy of the data
  }
}
