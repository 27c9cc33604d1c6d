// Schemas of custom resources as OpenAPI documents have them. Version 2 lacks words that version 3 has, and kubectl stumbles over fields
// that may be anything. Upstream: apiextensions-apiserver pkg/controller/openapi.

import { isRecord } from "@celadon/base";
import type { JsonSchema } from "./builtin-schemas.ts";

/** A schema that admits every object. */
export const ANY_OBJECT: JsonSchema = { type: "object" };

export const preservesUnknown = (schema: JsonSchema): boolean =>
  schema["x-kubernetes-preserve-unknown-fields"] === true;

const JUNCTORS = ["allOf", "oneOf", "anyOf", "not"];

/** The same for version 2. */
export function schemaV2(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema;
  const out: Record<string, unknown> = { ...rest };
  for (const word of JUNCTORS) delete out[word];
  const isFree = preservesUnknown(schema);
  if (nullable === true || isFree) {
    delete out.items;
    delete out.properties;
  }
  if (nullable === true || (isFree && out.type === "object") || (out.type === "array" && out.items === undefined)) {
    delete out.type;
  }
  const { properties, items, additionalProperties, required } = out;
  if (isRecord(properties)) {
    const fields = Object.entries(properties as Record<string, JsonSchema>);
    out.properties = Object.fromEntries(fields.map(([name, field]) => [name, schemaV2(field)]));
    const optional = new Set(fields.filter(([, field]) => field.nullable === true).map(([name]) => name));
    if (Array.isArray(required)) out.required = required.filter((name: string) => !optional.has(name));
  }
  if (isRecord(items)) out.items = schemaV2(items as JsonSchema);
  if (isRecord(additionalProperties)) out.additionalProperties = schemaV2(additionalProperties as JsonSchema);
  if (Array.isArray(out.required) && out.required.length === 0) delete out.required;
  return out as JsonSchema;
}
