// Struct types over plain JSON data, as Kubernetes declares them: fields by key, no literals, and names that the checker knows
// but no program can read. Upstream: apiserver pkg/cel/types.go.

import { celError, struct, type Type } from "@celadon/cel";
import type { Field, StructType, TypeProvider } from "@celadon/cel/types";

/** A declared type and its declaration. */
export function declaredType(name: string, fields: Readonly<Record<string, Type>>): StructType {
  const known = new Map<string, Field>();
  for (const [field, type] of Object.entries(fields)) known.set(field, { name: field, type, key: field });
  return {
    type: struct(name),
    named: false,
    declared: true,
    converts: false,
    field: (field) => known.get(field),
    fieldNames: () => [...known.keys()],
    create: () => celError("invalid_argument", `unknown type '${name}'`),
  };
}

/** A provider of declared types. */
export function declaredTypes(types: Iterable<StructType>): TypeProvider {
  const byName = new Map<string, StructType>();
  const prefixes = new Set<string>();
  for (const declared of types) {
    const { name } = declared.type;
    byName.set(name, declared);
    prefixes.add(name.split(".", 1)[0] ?? name);
  }
  return {
    findStruct: (name) => byName.get(name),
    findIdent: () => undefined,
    hasPrefix: (first) => prefixes.has(first),
  };
}
