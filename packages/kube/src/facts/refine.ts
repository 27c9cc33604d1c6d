// A schema with all that is known of it: facts about built-in types, and the branches of allOf, anyOf and oneOf that were
// chosen. One level at a time, since schemas may contain themselves.

import type { Schema } from "../schema/schema.ts";
import { factsOf, type LimitingSchema } from "./builtin-facts.ts";

/** A schema with the facts of its type. */
export interface RefinedSchema extends LimitingSchema {
  readonly least?: Readonly<Record<string, unknown>>;
  readonly always?: Readonly<Record<string, unknown>>;
  readonly oneOfMembers?: readonly string[];
}

const known = new WeakMap<Schema, RefinedSchema>();

/** The schema with the facts of its type, one level deep. */
export function refine(schema: Schema): RefinedSchema {
  const facts = factsOf(schema.name);
  if (facts === undefined) return schema;
  let refined = known.get(schema);
  if (refined === undefined) {
    const { least, always, oneOfMembers, properties: limits = {}, required = [] } = facts;
    const properties = new Map(schema.properties);
    for (const [name, limit] of Object.entries(limits)) {
      const property = properties.get(name);
      if (property !== undefined) properties.set(name, { ...property, ...limit });
    }
    refined = {
      ...schema,
      properties,
      required: [...new Set([...(schema.required ?? []), ...required])],
      ...(least && { least }),
      ...(always && { always }),
      ...(oneOfMembers && { oneOfMembers }),
    };
    known.set(schema, refined);
  }
  return refined;
}

/** Both schemas combined; of limits that differ, the stricter one. */
export function both(a: Schema, b: Schema): Schema {
  const properties = new Map(a.properties);
  for (const [name, schema] of b.properties ?? []) {
    const mine = properties.get(name);
    properties.set(name, mine === undefined ? schema : both(mine, schema));
  }
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
  const merged: { -readonly [K in keyof Schema]: Schema[K] } = { ...b, ...a, required };
  if (properties.size > 0) merged.properties = properties;
  if (a.items && b.items) merged.items = both(a.items, b.items);
  if (a.enum && b.enum) merged.enum = a.enum.filter((value) => b.enum?.includes(value));
  for (const key of ["minimum", "minLength", "minItems", "minProperties"] as const) {
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.max(a[key], b[key]);
  }
  for (const key of ["maximum", "maxLength", "maxItems", "maxProperties"] as const) {
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.min(a[key], b[key]);
  }
  return merged;
}

/** The schema with its allOf and one branch each of anyOf and oneOf; `choose` says which. */
export function withBranches(schema: Schema, choose: (count: number) => number): Schema {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  // `anyOf: [integer, string]` is the notation of int-or-string; it adds nothing.
  if (schema.intOrString || allOf.length + anyOf.length + oneOf.length === 0) return schema;
  const { allOf: _, anyOf: __, oneOf: ___, ...rest } = schema;
  const parts = [...allOf];
  for (const branches of [anyOf, oneOf]) if (branches.length > 0) parts.push(branches[choose(branches.length)]!);
  return withBranches(parts.reduce(both, rest), choose);
}
