// A structural schema as CEL sees it: a tree of declared types, each with its CEL type, the largest size it may have and the smallest JSON
// it can be. Made node by node on demand, so that a rule on a large schema builds only the nodes it names. Upstream: SchemaDeclType in
// apiserver pkg/cel/common/schemas.go, DeclType in pkg/cel/types.go.

import { BOOL, BYTES, DOUBLE, DURATION, DYN, INT, STRING, TIMESTAMP, Type } from "@celadon/cel";
import { adapterFor, type SchemaAdapter } from "./adapt.ts";
import { escapeName } from "./escape.ts";
import {
  hasProperties,
  isEmbeddedResource,
  isIntOrString,
  type Schema,
  valueSchema,
  withResourceMeta,
} from "./schema.ts";
import { maxListSize, maxMapSize, maxTextSize, minSizeOf } from "./sizes.ts";

/** A schema as a CEL type, with how large its values may be. */
export interface DeclType {
  /** Its adapter turns data of the schema into values. */
  readonly type: Type;
  /** Characters, bytes, elements or entries at most. Zero for numbers, booleans and objects, whose size is never used. */
  readonly maxElements: number;
  /** Bytes of JSON at least. */
  readonly minSerializedSize: number;
  /** The type of a map's keys. */
  readonly key?: DeclType;
  /** The type of the elements of a list or map. */
  readonly elem?: DeclType;
  /** The fields of an object. */
  readonly fields?: DeclFields;
}

/** A field as expressions see it. */
export interface DeclField {
  /** The name in expressions. */
  readonly name: string;
  /** The name in the data. */
  readonly property: string;
  readonly type: DeclType;
}

/** The properties of an object that have a type and a name in CEL. */
export interface DeclFields {
  /** By escaped name. */
  get(name: string): DeclField | undefined;
  names(): readonly string[];
}

/** Options for the type of a schema. */
export interface DeclOptions {
  /** The root of a resource, which always has `apiVersion`, `kind` and the names in `metadata`. */
  readonly resource?: boolean;
  /** The schema that reads objects, maps and lists, if it is not the declaring one. */
  readonly data?: Schema;
}

/**
 * The declared type of a schema; undefined when CEL cannot see such data. Object types are named by their place: `name` for
 * the root, then `.field`, `.@idx` for the elements of a list, `.@elem` for the values of a map.
 */
export function declareType(schema: Schema, name: string, options: DeclOptions = {}): DeclType | undefined {
  return declare(schema, name, options.resource === true, options.data);
}

function declare(given: Schema, name: string, resource: boolean, data?: Schema): DeclType | undefined {
  const minSerializedSize = minSizeOf(given, resource);
  if (minSerializedSize === undefined) return undefined;
  const schema = resource ? withResourceMeta(given) : given;
  const adapter = adapterFor(schema);
  if (!isIntOrString(schema)) {
    const reader = data === undefined ? adapter : adapterFor(data);
    if (schema.type === "array") return new DeclList(schema, name, reader);
    if (schema.type === "object") {
      return valueSchema(schema)
        ? new DeclMap(schema, name, reader)
        : new DeclObject(schema, name, reader, minSerializedSize);
    }
  }
  const isText = schema.type === "string" || isIntOrString(schema);
  return { type: scalarType(schema, adapter), maxElements: isText ? maxTextSize(schema) : 0, minSerializedSize };
}

const FORMAT_TYPES: ReadonlyMap<string | undefined, Type> = new Map<string, Type>([
  ["byte", BYTES],
  ["duration", DURATION],
  ["date", TIMESTAMP],
  ["date-time", TIMESTAMP],
]);

const scalarTypes = new WeakMap<SchemaAdapter, Type>();

function scalarType(schema: Schema, adapter: SchemaAdapter): Type {
  let type = scalarTypes.get(adapter);
  if (type === undefined) {
    const { kind, name } = plainType(schema);
    type = new Type(kind, name, [], adapter);
    scalarTypes.set(adapter, type);
  }
  return type;
}

function plainType(schema: Schema): Type {
  if (isIntOrString(schema)) return DYN;
  switch (schema.type) {
    case "boolean":
      return BOOL;
    case "integer":
      return INT;
    case "number":
      return DOUBLE;
    default:
      return FORMAT_TYPES.get(schema.format) ?? STRING;
  }
}

const declareChild = (schema: Schema, name: string): DeclType => {
  const child = declare(schema, name, isEmbeddedResource(schema));
  if (child === undefined) throw new Error(`declared type of ${name}, which is not exposed`);
  return child;
};

class DeclList implements DeclType {
  readonly type: Type;
  readonly elem: DeclType;
  readonly maxElements: number;
  readonly minSerializedSize = 2;

  constructor(schema: Schema, name: string, adapter: SchemaAdapter) {
    this.elem = declareChild(schema.items as Schema, `${name}.@idx`);
    this.type = new Type("list", "list", [this.elem.type], adapter);
    this.maxElements = maxListSize(schema, this.elem.minSerializedSize);
  }
}

/** Keys are any text, under every schema. */
const MAP_KEY: DeclType = { type: STRING, maxElements: 0, minSerializedSize: 2 };

class DeclMap implements DeclType {
  readonly type: Type;
  readonly key: DeclType = MAP_KEY;
  readonly elem: DeclType;
  readonly maxElements: number;
  readonly minSerializedSize = 2;

  constructor(schema: Schema, name: string, adapter: SchemaAdapter) {
    this.elem = declareChild(valueSchema(schema) as Schema, `${name}.@elem`);
    this.type = new Type("map", "map", [STRING, this.elem.type], adapter);
    this.maxElements = maxMapSize(schema, this.elem.minSerializedSize);
  }
}

class DeclObject implements DeclType, DeclFields {
  readonly type: Type;
  readonly maxElements = 0;
  readonly minSerializedSize: number;
  readonly #schema: Schema;
  #properties: Map<string, string> | undefined;
  readonly #fields = new Map<string, DeclField>();

  constructor(schema: Schema, name: string, adapter: SchemaAdapter, minSerializedSize: number) {
    this.type = new Type("struct", name, [], adapter);
    this.minSerializedSize = minSerializedSize;
    this.#schema = schema;
  }

  get fields(): DeclFields {
    return this;
  }

  get(name: string): DeclField | undefined {
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const property = this.#visible().get(name);
    if (property === undefined) return undefined;
    const type = declareChild(
      (this.#schema.properties as Readonly<Record<string, Schema>>)[property] as Schema,
      `${this.type.name}.${name}`,
    );
    const field: DeclField = { name, property, type };
    this.#fields.set(name, field);
    return field;
  }

  names(): readonly string[] {
    return [...this.#visible().keys()];
  }

  /** Properties by escaped name, without those that have no type or no escaped name. */
  #visible(): ReadonlyMap<string, string> {
    if (this.#properties === undefined) {
      this.#properties = new Map();
      const schema = this.#schema;
      if (!hasProperties(schema)) return this.#properties;
      for (const [property, child] of Object.entries(schema.properties ?? {})) {
        const name = escapeName(property);
        if (name !== undefined && minSizeOf(child, isEmbeddedResource(child)) !== undefined)
          this.#properties.set(name, property);
      }
    }
    return this.#properties;
  }
}
