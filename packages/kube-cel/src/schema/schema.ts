// The part of a structural schema that CEL reads. Types, values and sizes are read from these keywords alone, so any document that has them
// will do: a CRD's openAPIV3Schema as it is written, or a resolved OpenAPI schema of a built-in type.

/** A schema, as far as types need it. */
export interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly nullable?: boolean;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
}

/** CRDs say it with the extension, built-in types with a format and no type. */
export function isIntOrString(schema: Schema): boolean {
  return (
    schema["x-kubernetes-int-or-string"] === true || (schema.format === "int-or-string" && schema.type === undefined)
  );
}

export function isEmbeddedResource(schema: Schema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

/** The schema of all values of a map, where there is one. */
export function valueSchema({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

export function hasProperties({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

export function ownProperty({ properties }: Schema, name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

const STRING_SCHEMA: Schema = { type: "string" };
const METADATA_SCHEMA: Schema = { type: "object", properties: { name: STRING_SCHEMA, generateName: STRING_SCHEMA } };

const extended = new WeakMap<Schema, Schema>();

/**
 * The schema of a resource: `kind`, `apiVersion`, `metadata.name` and `metadata.generateName` exist even if it does not name them. When any
 * of the five is missing or of another type, all three properties are replaced.
 */
export function withResourceMeta(schema: Schema): Schema {
  const metadata = ownProperty(schema, "metadata");
  const complete =
    ownProperty(schema, "kind")?.type === "string" &&
    ownProperty(schema, "apiVersion")?.type === "string" &&
    metadata?.type === "object" &&
    ownProperty(metadata, "name")?.type === "string" &&
    ownProperty(metadata, "generateName")?.type === "string";
  if (complete) return schema;
  let result = extended.get(schema);
  if (result === undefined) {
    const properties = {
      ...schema.properties,
      kind: STRING_SCHEMA,
      apiVersion: STRING_SCHEMA,
      metadata: METADATA_SCHEMA,
    };
    result = { ...schema, properties };
    extended.set(schema, result);
  }
  return result;
}
