// Nulls and defaults: a null that may not be one is dropped or becomes the default, a missing member with a default gets it.
// The object is not changed; what stays the same is shared, and so are defaults, which are frozen.
// Upstream: apiextensions-apiserver pkg/apiserver/schema/defaulting.

import { isRecord, type JsonObject, setOwn } from "@celadon/base";
import { type JsonSchema, propertiesOf, propertyOf, valuesOf } from "../schema/json-schema.ts";
import { GONE, mapItems, mapMembers } from "./prune.ts";

/** Takes out the null members that are neither nullable nor defaulted. Items of lists stay. */
export function dropNulls(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return schema.items ? mapItems(value, (item) => dropNulls(item, schema.items)) : value;
  if (!isRecord(value)) return value;
  return mapMembers(value, (key, member) => {
    const child = propertyOf(schema, key) ?? valuesOf(schema);
    if (member !== null) return dropNulls(member, child);
    return child && !child.nullable && child.default === undefined ? GONE : null;
  });
}

/** Fills in what is missing and has a default. */
export function fillDefaults(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined || !hasDefaults(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mapItems(value, (item) => fillDefaults(nullOrDefault(item, items), items)) : value;
  }
  if (!isRecord(value)) return value;
  const filled = withMissing(value, schema);
  return mapMembers(filled, (key, member) => {
    const child = propertyOf(schema, key) ?? valuesOf(schema);
    return child === undefined ? member : fillDefaults(nullOrDefault(member, child), child);
  });
}

function nullOrDefault(value: unknown, schema: JsonSchema): unknown {
  return value === null && !schema.nullable ? (schema.default ?? null) : value;
}

function withMissing(object: JsonObject, schema: JsonSchema): JsonObject {
  let copy: JsonObject | undefined;
  for (const [name, property] of defaultedProperties(schema)) {
    if (Object.hasOwn(object, name)) continue;
    copy ??= { ...object };
    setOwn(copy, name, property.default);
  }
  return copy ?? object;
}

const defaulted = new WeakMap<JsonSchema, readonly (readonly [string, JsonSchema])[]>();

function defaultedProperties(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  let found = defaulted.get(schema);
  if (found === undefined) {
    found = propertiesOf(schema).filter(([, property]) => property.default !== undefined);
    defaulted.set(schema, found);
  }
  return found;
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether there is a default anywhere that values of this schema are filled from. */
function hasDefaults(schema: JsonSchema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
    has = children.some((child) => child !== undefined && (child.default !== undefined || hasDefaults(child)));
    known.set(schema, has);
  }
  return has;
}
