// An outcome as text, for comparing: two outcomes show alike only if they are the same value or error at the same cost.

import { formatTimestamp } from "../value/time/time-format.ts";
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
} from "../value/value.ts";
import type { EvaluationResult } from "./program.ts";

/** Deep enough for any expression; data that contains itself stops here. */
const DEEPEST = 20;
/** Long lists and texts are shown by their beginning and their size. */
const LONGEST = 200;

export function showOutcome({ value, error, cost }: EvaluationResult): string {
  const result = error === undefined ? show(value) : `error ${error.code} at ${error.node}: ${error.message}`;
  return `${result}, cost ${cost}`;
}

export function show(value: unknown, depth = 0): string {
  try {
    return shown(value, depth);
  } catch (thrown) {
    return `unreadable: ${thrown}`; // a getter or a proxy of the data
  }
}

function shown(value: unknown, depth: number): string {
  if (depth > DEEPEST) return "…";
  const inner = (part: unknown): string => show(part, depth + 1);
  const list = (size: number, at: (index: number) => unknown): string => {
    const shown = Array.from({ length: Math.min(size, LONGEST) }, (_, i) => inner(at(i)));
    return `[${shown.join(", ")}${size > LONGEST ? `, … ${size}` : ""}]`;
  };
  switch (typeof value) {
    case "string":
      return value.length > LONGEST
        ? `${JSON.stringify(value.slice(0, LONGEST))}… ${value.length}`
        : JSON.stringify(value);
    case "number":
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? String(value)
        : `double(${Object.is(value, -0) ? "-0" : value})`;
    case "object":
      break;
    default:
      return String(value);
  }
  if (value === null) return "null";
  if (Array.isArray(value)) return list(value.length, (i) => value[i]);
  if (value instanceof Double) return `double(${Object.is(value.value, -0) ? "-0" : value.value})`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b[${value.join(" ")}]`;
  if (value instanceof Timestamp) return `timestamp(${formatTimestamp(value)})`;
  if (value instanceof Duration) return `duration(${value.seconds}.${value.nanos})`;
  if (value instanceof Optional) return value.hasValue ? `optional(${inner(value.value)})` : "optional()";
  if (value instanceof Type) return `type(${value.name})`;
  if (value instanceof ListValue) return list(value.size, (i) => value.get(i));
  if (value instanceof MapValue) {
    return `{${Array.from(value.keys(), (key) => `${inner(key)}: ${inner(value.find(key))}`).join(", ")}}`;
  }
  const name = value instanceof StructValue || value instanceof Opaque ? value.type.name : "";
  return `${name}{${fields(value, inner)}}`;
}

function fields(value: object, inner: (part: unknown) => string): string {
  return Object.entries(value)
    .map(([key, part]) => `${JSON.stringify(key)}: ${inner(part)}`)
    .join(", ");
}
