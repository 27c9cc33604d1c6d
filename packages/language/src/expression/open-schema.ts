// Schemas for help while typing. Fields that the API server's type checker cannot see (quantities, fields that hold anything) exist all the
// same and expressions read them; they are dyn then. A type that contains itself ends after a few rounds.

import type { Schema } from "@celadon/kube/schemas";

const ANYTHING: Schema = { intOrString: true };
/** The depth to which a type may be nested in itself: enough for any path that people write. */
const ROUNDS = 3;

const known = new WeakMap<Schema, Schema>();

export function openSchema(schema: Schema): Schema {
  let made = known.get(schema);
  if (made === undefined) known.set(schema, (made = open(schema, new Map())));
  return made;
}

function open(schema: Schema, inside: Map<Schema, number>): Schema {
  const rounds = inside.get(schema) ?? 0;
  if (rounds >= ROUNDS) return ANYTHING;
  if (isAnything(schema)) return withText(ANYTHING, schema);
  inside.set(schema, rounds + 1);
  const { items, additionalProperties, properties } = schema;
  const opened: Schema = {
    ...schema,
    ...(schema.type === "array" && { items: items === undefined ? ANYTHING : open(items, inside) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: open(additionalProperties, inside) }),
    ...(properties && { properties: new Map([...properties].map(([name, value]) => [name, open(value, inside)])) }),
  };
  inside.set(schema, rounds);
  return opened;
}

function isAnything({ type, intOrString, properties, additionalProperties, preserveUnknownFields }: Schema): boolean {
  if (type === undefined) return true;
  if (intOrString === true) return true;
  if (type !== "object" || properties !== undefined) return false;
  return typeof additionalProperties !== "object" && (preserveUnknownFields === true || additionalProperties === true);
}

function withText(schema: Schema, { description }: Schema): Schema {
  return description === undefined ? schema : { ...schema, description };
}
