// Numbers to try at a field: an ordinary one first, then those the expressions compare it with and their neighbours, then the
// edges of the schema and of the type.

import type { Schema } from "@celadon/kube/schemas";
import type { Focus } from "./focus.ts";
import { remembered } from "./remembered.ts";

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

export const numberCandidates: (schema: Schema, focus: Focus | undefined) => readonly (number | bigint)[] =
  remembered(numbersOf);

function numbersOf(schema: Schema, focus: Focus | undefined): readonly (number | bigint)[] {
  const integer = schema.type !== "number";
  const read = [...(focus?.numbers ?? [])].flatMap(beside);
  const { minimum, maximum } = schema;
  const edges = [minimum, maximum].flatMap((edge) => (edge === undefined ? [] : [edge, edge + 1, edge - 1]));
  const ends: readonly (number | bigint)[] = !integer
    ? [0.5, -0.5, 1e300]
    : schema.format === "int32"
      ? [INT32.max, INT32.min]
      : [INT64.max, INT64.min];
  const multiples = schema.multipleOf === undefined ? [] : [schema.multipleOf, schema.multipleOf * 2];
  const all = [1, 0, ...edges, ...multiples, ...read, -1, 2, ...ends].filter((n) => numberFits(schema, n));
  return [...new Set(all)];
}

function beside(n: number | bigint): (number | bigint)[] {
  return typeof n === "bigint" ? [n, narrow(n + 1n), narrow(n - 1n)] : [n, n + 1, n - 1];
}

const narrow = (n: bigint): number | bigint => (Number.isSafeInteger(Number(n)) ? Number(n) : n);

export function numberFits(schema: Schema, n: number | bigint): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (schema.enum !== undefined && !schema.enum.includes(n)) return false;
  if (minimum !== undefined && (exclusiveMinimum ? n <= minimum : n < minimum)) return false;
  if (maximum !== undefined && (exclusiveMaximum ? n >= maximum : n > maximum)) return false;
  if (multipleOf !== undefined && !Number.isInteger(Number(n) / multipleOf)) return false;
  if (schema.type === "number") return typeof n === "number" && Number.isFinite(n);
  if (typeof n === "number" && !Number.isInteger(n)) return false;
  if (schema.format === "int32") return n >= INT32.min && n <= INT32.max;
  return n >= INT64.min && n <= INT64.max;
}
