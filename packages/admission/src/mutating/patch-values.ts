// Converts the result of a mutation's expression to a patch as plain data. An Object becomes the maps that merging reads (go-value.ts); the
// values of a JSON patch go through protobuf's JSON. Upstream: apiserver pkg/admission/plugin/policy/mutating/patch.

import { isRecord, quoteGo, setOwn } from "@celadon/base";
import { Double, type Json, ListValue, Opaque, Optional, Type, toJson, type Value } from "@celadon/cel";
import { formatValue, isList, isMap, isTooLargeToWrite, mapFind, mapKeys, typeOf } from "@celadon/cel/values";
import { Invalid } from "@celadon/kube/errors";
import { JsonPatchValue, ObjectValue, typeNameProblems } from "@celadon/kube-cel";
import { ForeignValue, type PatchOperation, UnreadableText, withTextNulls } from "@celadon/merge";
import { goFields, type IsData, type JsonObject, listOf } from "./go-value.ts";

/** The reference would run out of memory here. */
const tooLarge = (): Invalid => new Invalid("the result is too large to be made into a patch");

/** An error that ends a request under every failure policy, because kube-apiserver panics over it. */
export class Fatal extends Invalid {}

/** An ApplyConfiguration's value as a configuration to be merged. */
export function configurationOf(value: Value, isData: IsData): JsonObject | Invalid {
  if (isTooLargeToWrite(value)) return tooLarge();
  if (!(value instanceof ObjectValue)) {
    return new Invalid(`unsupported return type from ApplyConfiguration expression: ${formatValue(value)}`);
  }
  const problems = typeNameProblems(value);
  return problems.length > 0 ? new Invalid(`type mismatch: ${problems.join("\n")}`) : goFields(value, isData);
}

/** A JSONPatch's value as operations. */
export function operationsOf(value: Value, isData: IsData): readonly PatchOperation[] | Invalid {
  if (isTooLargeToWrite(value)) return tooLarge();
  const operations: PatchOperation[] = [];
  // Many operations may have one value, and patching changes none.
  const converted = new Map<Value, unknown>();
  for (const item of listOf(value)) {
    if (!(item instanceof JsonPatchValue)) {
      return new Invalid("type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
    }
    const { op, path, from } = item;
    let given = item.value === undefined ? undefined : converted.get(item.value);
    if (given === undefined && item.value !== undefined) {
      given = patchValue(item.value, isData);
      converted.set(item.value, given);
    }
    if (given instanceof Invalid) return given;
    operations.push({
      op: quotedByGo(op),
      path: quotedByGo(path),
      ...(from !== "" && { from: quotedByGo(from) }),
      ...(given !== undefined && { value: given }),
    });
  }
  return withTextNulls(operations);
}

/** Texts are quoted as Go quotes them, which for some characters is no JSON: `\a`, `\v`, `\x1f`, `\U000e0001`. */
function quotedByGo(text: string): string | UnreadableText {
  if (!UNUSUAL.test(text)) return text;
  const letter = /(?<!\\)(?:\\\\)*\\([avxU])/.exec(quoteGo(text))?.[1];
  return letter === undefined ? text : new UnreadableText(`invalid character '${letter}' in string escape code`);
}

/** Control characters and characters beyond the basic plane. */
const UNUSUAL = /[\p{Cc}\u{10000}-\u{10ffff}]/u;

function patchValue(value: Value, isData: IsData): unknown {
  const converted = value instanceof ObjectValue ? objectOf(value, isData) : jsonOf(value);
  if (!(converted instanceof NotJson)) return converted;
  if (converted === OBJECT_WITHIN) return new Fatal(converted.message);
  return converted.isMismatch
    ? new Invalid(converted.message)
    : new Invalid(`JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${converted.message}`);
}

/** Why a value has no form in JSON. */
class NotJson {
  readonly message: string;
  /** The names of its types are wrong, which has a message without details. */
  readonly isMismatch: boolean;
  constructor(message: string, isMismatch = false) {
    this.message = message;
    this.isMismatch = isMismatch;
  }
}

const OBJECT_WITHIN = new NotJson(
  "an Object inside a list or map cannot be the value of a JSONPatch (kube-apiserver panics); use a map, whose values are written as dyn(…) if their types differ",
);

/** The name of a value's own type does not matter: only its content is compared. */
function objectOf(value: ObjectValue, isData: IsData): unknown {
  const problems = typeNameProblems(value);
  if (problems.length > 0) return new NotJson(`type mismatch: ${problems.join("\n")}`, true);
  const fields = goFields(value, isData);
  return fields instanceof Invalid ? new NotJson(fields.message) : structOf(fields);
}

/** Converts Go values as protobuf's Struct holds them: numbers are doubles, so that a large integer loses its end. */
function structOf(value: unknown): unknown {
  if (Array.isArray(value)) return eachOf(value, structOf);
  if (value instanceof Double) return finite(value.value, "*structpb.Struct");
  if (typeof value === "number") return finite(value, "*structpb.Struct");
  if (typeof value === "bigint") return BigInt(Number(value));
  if (value instanceof ForeignValue) {
    if (value.goType === "uint64") return Number(value.text);
    return value.bytes === undefined ? new NotJson(`proto: invalid type: ${value.goType}`) : toJson(value.bytes);
  }
  return isRecord(value) ? membersOf(Object.entries(value), structOf) : value;
}

/** A value of CEL as protobuf's Value, written as JSON: a whole double comes back as an integer. */
function jsonOf(value: Value): unknown {
  if (value instanceof ObjectValue) return OBJECT_WITHIN;
  // A list that was put together with `+` holds Go values, and for an Object that is a map.
  if (isList(value)) return eachOf(listOf(value), value instanceof ListValue ? nativeOf : jsonOf);
  if (isMap(value)) {
    const keys = [...mapKeys(value)];
    const key = keys.find((item) => typeof item !== "string");
    if (key !== undefined) return new NotJson(`unsupported type conversion from '${typeOf(key).name}' to string`);
    return membersOf(
      keys.map((item) => [item as string, mapFind(value, item)]),
      jsonOf,
    );
  }
  if (value instanceof Double) return finite(value.value, "*structpb.Value");
  if (typeof value === "number") return finite(value, "*structpb.Value");
  if (value instanceof Type) return new NotJson("type conversion not supported for 'type'");
  if (value instanceof Optional)
    return value.hasValue ? jsonOf(value.value) : new NotJson("optional.none() dereference");
  if (value instanceof JsonPatchValue) return new NotJson(`cannot convert to native type: ${formatValue(value)}`);
  if (value instanceof Opaque) {
    return new NotJson(`type conversion error from '${value.hostName}' to '*structpb.Value'`);
  }
  return toJson(value) satisfies Json;
}

/** Objects in fields of an Object are maps too, one list or map deep. */
function nativeOf(value: Value): unknown {
  if (!(value instanceof ObjectValue)) return jsonOf(value);
  return membersOf(value.fields, (field) => (isList(field) ? eachOf(listOf(field), nativeOf) : nativeOf(field)));
}

function finite(number: number, type: string): unknown {
  if (Number.isFinite(number)) return number;
  const shown = Number.isNaN(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
  const why = `proto: google.protobuf.Value.number_value: invalid ${shown} value`;
  return new NotJson(`json: error calling MarshalJSON for type ${type}: ${why}`);
}

function eachOf<T>(items: readonly T[], convert: (item: T) => unknown): unknown {
  const result: unknown[] = [];
  for (const item of items) {
    const converted = convert(item);
    if (converted instanceof NotJson) return converted;
    result.push(converted);
  }
  return result;
}

function membersOf<T>(members: Iterable<readonly [string, T]>, convert: (item: T) => unknown): unknown {
  const result: JsonObject = {};
  for (const [name, item] of members) {
    const converted = convert(item);
    if (converted instanceof NotJson) return converted;
    setOwn(result, name, converted);
  }
  return result;
}
