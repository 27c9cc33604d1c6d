// Go types of fields, as the API server's messages name them: from the schemas' names, and a table for types that these lack (named texts,
// quantities).

import type { Schema } from "../schema/schema.ts";
import { NAMED_TYPES } from "./generated/named-types.ts";

const TYPE_NAME = /^(?:[A-Z][a-z]+)?V(\d+(?:(?:alpha|beta)\d+)?)([A-Z]\w*)$/;

let named: ReadonlyMap<string, string> | undefined;

/** The place of a value for a decoder. Elements and values of maps stand where their list or map does. */
export interface ShapePlace {
  /** The Go struct that has the field; undefined for a whole object. */
  readonly struct: string | undefined;
  /** The named type of the field. */
  readonly name: string | undefined;
}

const places = new WeakMap<Schema, ReadonlyMap<string, ShapePlace>>();

/** The places of a struct's fields, found once for a schema. */
export function placesIn(schema: Schema, properties: ReadonlyMap<string, Schema>): ReadonlyMap<string, ShapePlace> {
  let known = places.get(schema);
  if (known === undefined) {
    const struct = structName(schema);
    known = new Map([...properties.keys()].map((key) => [key, { struct, name: namedType(struct, key) }]));
    places.set(schema, known);
  }
  return known;
}

/** `DeploymentSpec` of `V1DeploymentSpec`; undefined for a schema without a name. */
function structName(schema: Schema): string | undefined {
  return schema.name === undefined ? undefined : (TYPE_NAME.exec(schema.name)?.[2] ?? schema.name);
}

/** The named type of a field, or of the elements of its list or map. */
function namedType(struct: string | undefined, field: string | undefined): string | undefined {
  named ??= new Map(
    NAMED_TYPES.split("\n").flatMap((line) => {
      const [type = "", ...fields] = line.split(" ");
      return fields.map((text) => [text, type] as const);
    }),
  );
  return named.get(`${struct}.${field}`);
}

/** The Go type, as Go writes it: `[]v1.Container`, `map[string]string`, `int32`. `name` is the name of the field, if it has one. */
export function goType(schema: Schema, name: string | undefined): string {
  if (schema.items !== undefined) return `[]${goType(schema.items, name)}`;
  if (schema.intOrString === true) return "intstr.IntOrString";
  if (schema.type === "object") {
    if (name === "v1.ResourceList") return name;
    if (typeof schema.additionalProperties === "object")
      return `map[string]${goType(schema.additionalProperties, name)}`;
    const parts = TYPE_NAME.exec(schema.name ?? "");
    return parts === null ? (schema.name ?? "map[string]interface {}") : `v${parts[1]}.${parts[2]}`;
  }
  if (schema.format === "byte") return "[]uint8";
  if (schema.format === "date-time") return "v1.Time";
  switch (schema.type) {
    case "boolean":
      return "bool";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    default:
      return name ?? "string";
  }
}
