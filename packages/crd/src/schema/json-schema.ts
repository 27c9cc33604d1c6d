// A JSON schema as a CustomResourceDefinition carries it, after reading: empty keywords are left out, as Go leaves zero
// values out, so that two schemas that mean the same are deeply equal.

/** One rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** A schema as definitions have it. */
export interface JsonSchema {
  readonly id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly format?: string;
  readonly title?: string;
  readonly default?: unknown;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly multipleOf?: number;
  readonly enum?: readonly unknown[];
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** `items` written as a list of schemas, which no CRD may have. */
  readonly itemsList?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly additionalItems?: boolean | JsonSchema;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly example?: unknown;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/** The names of the resource's own fields, which exist even if the schema does not name them. */
export const META_FIELDS: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

export function preservesUnknown(schema: JsonSchema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true;
}

export function isEmbedded(schema: JsonSchema): boolean {
  return schema["x-kubernetes-embedded-resource"] === true;
}

export function isIntOrString(schema: JsonSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true;
}

export function rulesOf(schema: JsonSchema): readonly ValidationRule[] {
  return schema["x-kubernetes-validations"] ?? [];
}

/** The schema a property has by name, own properties only. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema of all values of a map, where there is one. */
export function valuesOf(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** Name and schema of every property, in the order written. */
export function propertiesOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return schema.properties === undefined ? [] : Object.entries(schema.properties);
}

/** Whether the schema or any schema inside it passes a test. */
export function someSchema(schema: JsonSchema, test: (schema: JsonSchema) => boolean): boolean {
  if (test(schema)) return true;
  const inside = (jsonSchema: JsonSchema): boolean => someSchema(jsonSchema, test);
  const { items, itemsList, allOf, anyOf, oneOf, not, additionalProperties, additionalItems, dependencies } = schema;
  return (
    (items !== undefined && inside(items)) ||
    itemsList?.some(inside) === true ||
    allOf?.some(inside) === true ||
    anyOf?.some(inside) === true ||
    oneOf?.some(inside) === true ||
    (not !== undefined && inside(not)) ||
    someMember(schema.properties, inside) ||
    (typeof additionalProperties === "object" && inside(additionalProperties)) ||
    someMember(schema.patternProperties, inside) ||
    (typeof additionalItems === "object" && inside(additionalItems)) ||
    someMember(schema.definitions, inside) ||
    (dependencies !== undefined &&
      Object.values(dependencies).some((dependency) => !Array.isArray(dependency) && inside(dependency as JsonSchema)))
  );
}

function someMember(
  members: Readonly<Record<string, JsonSchema>> | undefined,
  test: (schema: JsonSchema) => boolean,
): boolean {
  if (members === undefined) return false;
  for (const name of Object.keys(members)) if (test(members[name]!)) return true;
  return false;
}
