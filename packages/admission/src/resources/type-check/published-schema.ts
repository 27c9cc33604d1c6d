// Schemas of kinds as the type checker gets them: references resolved, where a type that contains itself ends in an object
// without fields, and without the fields that the API gives no type. Upstream: apiserver pkg/cel/openapi/resolver.

import type { Schema } from "@celadon/kube/schemas";
import { isQuantityField } from "./quantity-fields.ts";

const NO_FIELDS: Schema = { type: "object" };
/** Here a value that may be anything has no type; elsewhere it is an object. */
const UNTYPED_IN = /JSONSchemaProps$/;

const known = new WeakMap<Schema, Schema>();

export function publishedSchema(schema: Schema): Schema {
  return publish(schema, new Set()).schema;
}

interface Published {
  readonly schema: Schema;
  /** Whether a type was cut because it is inside itself: elsewhere it may not be. */
  readonly cut: boolean;
}

function publish(schema: Schema, inside: Set<Schema>): Published {
  const ready = known.get(schema);
  if (ready !== undefined) return { schema: ready, cut: false };
  if (inside.has(schema)) return { schema: NO_FIELDS, cut: true };
  inside.add(schema);
  let cut = false;
  const child = (item: Schema): Schema => {
    const published = publish(item, inside);
    cut ||= published.cut;
    return published.schema;
  };
  const { items, additionalProperties, properties } = schema;
  const published: Schema = {
    ...schema,
    ...(items && { items: child(items) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: child(additionalProperties) }),
    ...(properties && { properties: publishProperties(schema.name ?? "", properties, child) }),
  };
  inside.delete(schema);
  if (!cut) known.set(schema, published);
  return { schema: published, cut };
}

function publishProperties(
  owner: string,
  properties: ReadonlyMap<string, Schema>,
  child: (schema: Schema) => Schema,
): ReadonlyMap<string, Schema> {
  const published = new Map<string, Schema>();
  for (const [name, schema] of properties) {
    if (owner !== "" && isQuantityField(owner, name)) continue;
    const isAnything = owner !== "" && schema.type === undefined && schema.preserveUnknownFields === true;
    if (!isAnything) published.set(name, child(schema));
    else if (!UNTYPED_IN.test(owner)) published.set(name, NO_FIELDS);
  }
  return published;
}
