// Schemas as `@celadon/kube` has them (built-in types, OpenAPI documents), in the form this directory reads. Made as far as
// someone looks: such a schema may contain itself.

import type { Schema as KubeSchema } from "@celadon/kube/schemas";
import type { Schema } from "./schema.ts";

const known = new WeakMap<KubeSchema, Schema>();

/** A schema of a built-in kind, as types need it. */
export function fromKubeSchema(schema: KubeSchema): Schema {
  let made = known.get(schema);
  if (made === undefined) {
    made = view(schema);
    known.set(schema, made);
  }
  return made;
}

/** Keywords that are called the same in both. */
const SAME = [
  "type",
  "format",
  "required",
  "enum",
  "default",
  "nullable",
  "maxLength",
  "maxItems",
  "maxProperties",
] as const;

function view(schema: KubeSchema): Schema {
  const made: Record<string, unknown> = {
    "x-kubernetes-int-or-string": schema.intOrString,
    "x-kubernetes-preserve-unknown-fields": schema.preserveUnknownFields,
    "x-kubernetes-embedded-resource": schema.embeddedResource,
    "x-kubernetes-list-type": schema.listType,
    "x-kubernetes-list-map-keys": schema.listMapKeys,
  };
  for (const keyword of SAME) made[keyword] = schema[keyword];
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) lazily(made, "properties", () => fromProperties(properties));
  if (items !== undefined) lazily(made, "items", () => fromKubeSchema(items));
  if (typeof additionalProperties === "object")
    lazily(made, "additionalProperties", () => fromKubeSchema(additionalProperties));
  else made.additionalProperties = additionalProperties;
  return made;
}

function fromProperties(properties: ReadonlyMap<string, KubeSchema>): Record<string, Schema> {
  const made = Object.create(null) as Record<string, Schema>; // so that a property may have any name
  for (const [name, property] of properties) lazily(made, name, () => fromKubeSchema(property));
  return made;
}

/** A property that is found out when it is first read. */
function lazily(target: object, name: string, find: () => unknown): void {
  let found: unknown;
  Object.defineProperty(target, name, { enumerable: true, configurable: true, get: () => (found ??= find()) });
}
