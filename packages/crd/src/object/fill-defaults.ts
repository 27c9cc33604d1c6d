// Nulls and defaults: a null that may not be one is dropped or becomes the default, a missing member with a default gets it.
// The object is not changed; what stays the same is shared, and so are defaults, which are frozen.
// Upstream: apiextensions-apiserver pkg/apiserver/schema/defaulting.

import { isRecord, type JsonObject, setOwn, toJson } from "@celadon/base";
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

/** More text of defaults than an object may have: an empty item of a list takes three bytes, and its defaults some thousands. */
export class TooManyDefaults extends Error {
  constructor(characters: number) {
    super(`the defaults of the schema are more than ${characters} characters`);
  }
}

/** The text that defaults may still add to an object. */
class Allowance {
  readonly #all: number;
  #left: number;

  constructor(characters: number) {
    this.#all = characters;
    this.#left = characters;
  }

  take(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0) throw new TooManyDefaults(this.#all);
  }
}

/** Fills in defaults of absent fields. Throws TooManyDefaults when these are longer than `most`, in characters of JSON. */
export function fillDefaults(
  value: unknown,
  schema: JsonSchema | undefined,
  most: number = Number.POSITIVE_INFINITY,
): unknown {
  return fill(value, schema, new Allowance(most));
}

function fill(value: unknown, schema: JsonSchema | undefined, allowance: Allowance): unknown {
  if (schema === undefined || !hasDefaults(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mapItems(value, (item) => fill(nullOrDefault(item, items, allowance), items, allowance)) : value;
  }
  if (!isRecord(value)) return value;
  const filled = withMissing(value, schema, allowance);
  return mapMembers(filled, (key, member) => {
    const child = propertyOf(schema, key) ?? valuesOf(schema);
    return child === undefined ? member : fill(nullOrDefault(member, child, allowance), child, allowance);
  });
}

function nullOrDefault(value: unknown, schema: JsonSchema, allowance: Allowance): unknown {
  if (value !== null || schema.nullable || schema.default === undefined) return value;
  allowance.take(lengthOfDefault(schema));
  return schema.default;
}

function withMissing(object: JsonObject, schema: JsonSchema, allowance: Allowance): JsonObject {
  let copy: JsonObject | undefined;
  for (const [name, property] of defaultedProperties(schema)) {
    if (Object.hasOwn(object, name)) continue;
    copy ??= { ...object };
    allowance.take(name.length + lengthOfDefault(property));
    setOwn(copy, name, property.default);
  }
  return copy ?? object;
}

const lengths = new WeakMap<JsonSchema, number>();

function lengthOfDefault(schema: JsonSchema): number {
  let length = lengths.get(schema);
  if (length === undefined) lengths.set(schema, (length = toJson(schema.default).length));
  return length;
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
