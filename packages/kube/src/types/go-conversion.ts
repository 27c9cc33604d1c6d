// Conversion of merged values as Go converts them, which never were JSON text: in the order of fields, doubles to integers.

import { Double, setOwn } from "@celadon/base";
import { jsonType } from "./json-type.ts";
import type { GoStruct } from "./table.ts";

type Json = Record<string, unknown>;

/** Fields are converted in the order of the type, and the first that cannot be is reported. Unknown ones come last. */
export function inFieldOrder(type: GoStruct, given: Json): Json {
  const members: Json = {};
  for (const { name } of type.fields) if (Object.hasOwn(given, name)) members[name] = given[name];
  for (const name of Object.keys(given)) if (!type.byName.has(name)) setOwn(members, name, given[name]);
  return members;
}

/** The kind of a value that was read as JSON, as Go names it. */
export function goKind(value: unknown): string {
  const type = jsonType(value);
  if (type === "number") return typeof value === "bigint" || Number.isInteger(value) ? "int64" : "float64";
  return type === "array" ? "slice" : type === "object" ? "map" : type;
}

/** A number as Go converts it to an int64; undefined for one with a fraction. */
export function wholeOf(value: unknown): number | bigint | undefined {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : OUT_OF_RANGE;
  const number = value instanceof Double ? value.value : (value as number);
  if (!Number.isInteger(number)) return undefined;
  if (Number.isSafeInteger(number)) return number;
  return Math.abs(number) < 2 ** 63 ? BigInt(number) : OUT_OF_RANGE;
}

/** The integer that a double beyond int64 becomes. */
const OUT_OF_RANGE = -(2n ** 63n);
