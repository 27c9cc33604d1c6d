// Shapes as a JSON schema (draft 7, which editors support best). docs/reference/test-suite.schema.json is made from the format by it.

import type { Shape } from "./shape.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

export function jsonSchemaOf(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case "text":
      return shape.choices ? { type: "string", enum: shape.choices } : { type: "string" };
    case "bool":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", minimum: shape.min };
    case "null":
      return { type: "null" };
    case "any":
      return {};
    case "list":
      return { type: "array", items: jsonSchemaOf(shape.items), ...(shape.filled && { minItems: 1 }) };
    case "map":
      return { type: "object", additionalProperties: jsonSchemaOf(shape.values) };
    case "manifest":
      return {
        type: "object",
        required: ["apiVersion", "kind"],
        properties: { apiVersion: { type: "string" }, kind: { type: "string" } },
      };
    case "either":
      return { anyOf: shape.of.map(jsonSchemaOf) };
    case "fields": {
      const entries = Object.entries(shape.fields);
      const needed = entries.filter(([, { required }]) => required).map(([name]) => name);
      return {
        type: "object",
        additionalProperties: false,
        ...(needed.length > 0 && { required: needed }),
        properties: Object.fromEntries(
          entries.map(([name, { shape, about }]) => [name, { description: about, ...jsonSchemaOf(shape) }]),
        ),
      };
    }
  }
}
