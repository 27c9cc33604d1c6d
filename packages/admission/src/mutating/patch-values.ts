// What an expression of a mutation answered → a patch as plain data. An Object becomes the maps that merging reads; what is in
// lists and maps inside it has to be data or Objects itself, as in the reference, which knows nothing of literals there. The values
// of a JSON patch go through protobuf's JSON. Upstream: apiserver pkg/admission/plugin/policy/mutating/patch.

import {
  Double,
  Duration,
  isError,
  type Json,
  Opaque,
  Optional,
  Timestamp,
  Type,
  toJson,
  Uint,
  type Value,
} from "@celadon/cel";
import { CelMap, formatValue, isList, isMap, mapFind, mapKeys, toArray } from "@celadon/cel/extend";
import { Invalid } from "@celadon/kube";
import { JsonPatchValue, ObjectValue, typeNameProblems } from "@celadon/kube-cel";
import { ForeignValue, type PatchOperation } from "@celadon/merge";

type JsonObject = Record<string, unknown>;

/** An ApplyConfiguration's value as a configuration to be merged. */
export function configurationOf(value: Value): JsonObject | Invalid {
  if (!(value instanceof ObjectValue)) {
    return new Invalid(`unsupported return type from ApplyConfiguration expression: ${formatValue(value)}`);
  }
  const problems = typeNameProblems(value);
  return problems.length > 0 ? new Invalid(`type mismatch: ${problems.join("\n")}`) : fieldsOf(value);
}

function fieldsOf(object: ObjectValue): JsonObject | Invalid {
  const result: JsonObject = {};
  for (const [name, field] of object.fields) {
    const converted = fieldOf(field);
    if (converted instanceof Invalid) return new Invalid(`fail to convert field "${name}": ${converted.message}`);
    put(result, name, converted);
  }
  return result;
}

function fieldOf(value: Value): unknown {
  if (isList(value)) return listOf(value).map(nativeOf);
  if (value instanceof CelMap) {
    const result: JsonObject = {};
    for (const key of mapKeys(value)) {
      if (typeof key !== "string") return new Invalid(`map key ${formatValue(key)} is not a string`);
      put(result, key, nativeOf(mapFind(value, key)));
    }
    return result;
  }
  return nativeOf(value);
}

/** The Go value behind a CEL value, where JSON has a form for it. */
function nativeOf(value: Value): unknown {
  if (value instanceof ObjectValue) {
    const fields = fieldsOf(value);
    return fields instanceof Invalid ? new ForeignValue("*types.Err", fields.message) : fields;
  }
  if (value === null) return new ForeignValue("structpb.NullValue", "NULL_VALUE");
  if (value instanceof CelMap) return new ForeignValue("map[ref.Val]ref.Val", formatValue(value));
  if (value instanceof Uint) return new ForeignValue("uint64", String(value.value));
  if (value instanceof Uint8Array) return new ForeignValue("[]uint8", `[${[...value].join(" ")}]`);
  if (value instanceof Timestamp) return new ForeignValue("time.Time", formatValue(value));
  if (value instanceof Duration) return new ForeignValue("time.Duration", formatValue(value));
  if (value instanceof Type || value instanceof Optional || value instanceof Opaque) {
    return new ForeignValue(value.constructor.name, formatValue(value));
  }
  return value;
}

/** A JSONPatch's value as operations. */
export function operationsOf(value: Value): readonly PatchOperation[] | Invalid {
  const operations: PatchOperation[] = [];
  for (const item of listOf(value)) {
    if (!(item instanceof JsonPatchValue)) {
      return new Invalid("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
    }
    const { op, path, from } = item;
    const given = item.value === undefined ? undefined : patchValue(item.value);
    if (given instanceof Invalid) return given;
    operations.push({ op, path, ...(from !== "" && { from }), ...(given !== undefined && { value: given }) });
  }
  return operations;
}

function patchValue(value: Value): unknown {
  if (value instanceof ObjectValue) {
    // The name of a value's own type may be any: only what is inside it is compared with it.
    const problems = typeNameProblems(value);
    if (problems.length > 0) return new Invalid(`type mismatch: ${problems.join("\n")}`);
  }
  const problem = notJson(value);
  if (problem === undefined) return jsonOf(value);
  return new Invalid(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${problem}`);
}

/** What protobuf's JSON has no form for. */
function notJson(value: Value): string | undefined {
  if (value instanceof ObjectValue) return first([...value.fields.values()], notJson);
  if (isList(value)) return first(listOf(value), notJson);
  if (isMap(value)) {
    const keys = [...mapKeys(value)];
    const key = keys.find((one) => typeof one !== "string");
    if (key !== undefined) return "unsupported type conversion from map key to string";
    return first(keys, (one) => notJson(mapFind(value, one)));
  }
  if (value instanceof Type) return "type conversion not supported for 'type'";
  if (value instanceof Optional || value instanceof Opaque || value instanceof JsonPatchValue) {
    return `cannot convert to native type: ${formatValue(value)}`;
  }
  return undefined;
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Numbers are doubles on their way: a whole one comes back as an integer, and inside an Object a large one loses its end. */
function jsonOf(value: Value, inObject = false): unknown {
  if (value instanceof ObjectValue) {
    const result: JsonObject = {};
    for (const [name, field] of value.fields) put(result, name, jsonOf(field, true));
    return result;
  }
  if (isList(value)) return listOf(value).map((item) => jsonOf(item, inObject));
  if (isMap(value)) {
    const result: JsonObject = {};
    for (const key of mapKeys(value)) put(result, key as string, jsonOf(mapFind(value, key), inObject));
    return result;
  }
  if (value instanceof Double) return value.value;
  if (typeof value === "bigint" && inObject) return BigInt(Number(value));
  return toJson(value) satisfies Json;
}

function listOf(value: Value): readonly Value[] {
  if (!isList(value)) return [];
  const items = toArray(value);
  return isError(items) ? [] : (items as readonly Value[]);
}

/** Keys such as `__proto__` are ordinary. */
function put(target: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
