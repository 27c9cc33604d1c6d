// Struct types over plain objects, for hosts with data of a fixed shape: the checker knows the fields, evaluation reads the objects
// unconverted. A literal, `Person{name: "Ada"}`, is a plain object too.

import { struct, type Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import type { StructType, TypeProvider } from "./provider.ts";

/** Fields by name, with their types. */
export type RecordFields = Readonly<Record<string, Type>>;

/** A provider of the record types named by the keys. A field's type may be `struct(name)` of another one, or of the same. */
export function recordProvider(records: Readonly<Record<string, RecordFields>>): TypeProvider {
  const structs = new Map(Object.entries(records).map(([name, fields]) => [name, recordType(name, fields)]));
  return {
    findStruct: (name) => structs.get(name),
    findIdent: (name) => structs.get(name)?.type,
    hasPrefix: (first) => [...structs.keys()].some((name) => name.startsWith(`${first}.`)),
  };
}

function recordType(name: string, fields: RecordFields): StructType {
  return {
    type: struct(name),
    field: (key) => (Object.hasOwn(fields, key) ? { name: key, type: fields[key]!, key } : undefined),
    fieldNames: () => Object.keys(fields),
    create: (values: ReadonlyMap<string, Value>) => Object.fromEntries(values),
  };
}
