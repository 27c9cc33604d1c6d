// cel.expr.Value as engine values, and engine values as text for comparison: `show` makes the same distinctions as CEL, so equal texts mean
// equal values of equal types.

import type { Value as ExprValue } from "@bufbuild/cel-spec/cel/expr/value_pb.js";
import type { Registry } from "@bufbuild/protobuf";
import {
  bareDouble,
  boxDouble,
  type CelError,
  CelMap,
  type Duration,
  EnumValue,
  fromProto,
  isError,
  type MapValue,
  MessageValue,
  mapFind,
  mapKeys,
  Opaque,
  Optional,
  opaque,
  type Timestamp,
  type Type,
  toArray,
  toInt,
  typeOf,
  Uint,
  type Value,
} from "./engine.ts";

/** The engine's value for an expectation or a binding. */
export function toValue(value: ExprValue | undefined, registry: Registry, enums: "int" | "strong"): Value {
  const kind = value?.kind;
  switch (kind?.case) {
    case undefined:
    case "nullValue":
      return null;
    case "boolValue":
    case "stringValue":
    case "bytesValue":
      return kind.value;
    case "int64Value":
      return toInt(kind.value);
    case "uint64Value":
      return new Uint(toInt(kind.value));
    case "doubleValue":
      return boxDouble(kind.value);
    case "listValue":
      return kind.value.values.map((element) => toValue(element, registry, enums));
    case "mapValue":
      return CelMap.from(
        kind.value.entries.map((entry) => [toValue(entry.key, registry, enums), toValue(entry.value, registry, enums)]),
      );
    case "typeValue":
      return opaque(kind.value);
    case "objectValue":
      return fromProto(kind.value, registry, { enums });
    case "enumValue":
      return new EnumValue(opaque(kind.value.type), kind.value.value);
  }
}

export function show(value: Value): string {
  switch (typeOf(value).kind) {
    case "null":
      return "null";
    case "bool":
    case "int":
      return String(value);
    case "uint":
      return `${(value as Uint).value}u`;
    case "double":
      return showDouble(bareDouble(value as number));
    case "string":
      return JSON.stringify(value);
    case "bytes":
      return `b"${Buffer.from(value as Uint8Array).toString("hex")}"`;
    case "list":
      return `[${toArray(value as readonly Value[])
        .map(show)
        .join(", ")}]`;
    case "map":
      return showMap(value as MapValue);
    case "duration":
      return showTime("duration", value as Duration);
    case "timestamp":
      return showTime("timestamp", value as Timestamp);
    case "type":
      return `type(${(value as Type).name})`;
    default:
      return showOther(value);
  }
}

const showDouble = (value: number): string =>
  Object.is(value, -0) ? "-0.0" : Number.isInteger(value) ? `${BigInt(value)}.0` : String(value);

const showTime = (name: string, { seconds, nanos }: Duration | Timestamp): string => `${name}(${seconds}s ${nanos}ns)`;

/** Entries in the order of their keys' texts: maps have none of their own. */
function showMap(map: MapValue): string {
  const entries = mapKeys(map).map((key) => `${show(key)}: ${show(mapFind(map, key))}`);
  return `{${entries.sort().join(", ")}}`;
}

function showOther(value: Value): string {
  if (isError(value)) return `error(${(value as CelError).message})`;
  if (value instanceof Optional) return value.hasValue ? `optional(${show(value.value)})` : "optional.none";
  if (value instanceof MessageValue) return showMessage(value);
  if (value instanceof Opaque) return `${value.type.name}(${String(value)})`;
  return `unexpected ${typeof value}`;
}

function showMessage(value: MessageValue): string {
  const { desc } = value.shape;
  const fields = desc.fields
    .filter(({ name }) => value.has(name) === true)
    .map(({ name }) => `${name}: ${show(value.get(name))}`);
  const unknown = (value.message.$unknown ?? []).map(({ no, data }) => `${no}: ${Buffer.from(data).toString("hex")}`);
  return `${desc.typeName}{${[...fields, ...unknown].join(", ")}}`;
}
