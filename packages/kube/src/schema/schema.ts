// Schemas as typed data: what OpenAPI v3 documents, CustomResourceDefinitions and the built-in table all become. Absent
// keywords are absent. Properties are a map, so that no property name means anything to JavaScript. A schema may contain
// itself (JSONSchemaProps does): walk it with that in mind.

/** A schema of either origin, with what types need to know of it. */
export interface Schema {
  /** The name of the type in the document it comes from, if it has one. */
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  /** Any value, null included; present means there is a default. */
  readonly default?: unknown;
  readonly enum?: readonly unknown[];

  readonly properties?: ReadonlyMap<string, Schema>;
  /** A schema for further members, or whether there may be any. */
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;

  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;

  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;

  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;

  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;

  /** x-kubernetes-preserve-unknown-fields */
  readonly preserveUnknownFields?: boolean;
  /** x-kubernetes-embedded-resource */
  readonly embeddedResource?: boolean;
  /** x-kubernetes-int-or-string */
  readonly intOrString?: boolean;
  /** x-kubernetes-list-type: atomic, set or map */
  readonly listType?: string;
  /** x-kubernetes-list-map-keys */
  readonly listMapKeys?: readonly string[];
  /** x-kubernetes-map-type: granular or atomic */
  readonly mapType?: string;
  /** x-kubernetes-validations */
  readonly validations?: readonly ValidationRule[];
}

/** One entry of x-kubernetes-validations. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}
