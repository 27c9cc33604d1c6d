// Data under a schema becomes CEL values when an expression looks at it. One adapter per schema node, made when first needed
// and kept; scalars share theirs. Error texts are upstream's: apiserver pkg/cel/common/valuesunstructured.go.
//
// An adapter is strict: it takes data, not values. Generated code reads data through paths without it and asks it only for
// what is used as a value (see `Adapter.deep`).

import { CelError, Double, type Value } from "@celadon/cel";
import { type Adapter, boxDouble } from "@celadon/cel/extend";
import { escapeName } from "./escape.ts";
import { FORMAT_READERS, type FormatReader } from "./formats.ts";
import { goTypeOf, isRecord } from "./go-data.ts";
import { type ElementReader, SchemaList, SchemaMapList, SchemaSet } from "./list-values.ts";
import { type ObjectShape, PreservedValue, SchemaObject } from "./object-values.ts";
import { hasProperties, isEmbeddedResource, isIntOrString, ownProperty, type Schema, valueSchema, withResourceMeta } from "./schema.ts";

/** Data that is there, that is not null. */
type Reader = (data: unknown) => Value | CelError;

export class SchemaAdapter implements Adapter {
  readonly deep = true;
  readonly nullable: boolean;
  readonly #read: Reader;

  constructor(nullable: boolean, read: Reader) {
    this.nullable = nullable;
    this.#read = read;
  }

  /** Data as a value. A view of data, which a host may have made before, stays as it is. */
  readonly toValue = (data: unknown): Value | CelError => {
    if (data === null || data === undefined) return this.nullable ? null : NOT_NULLABLE;
    return this.#read(data);
  };
}

const invalid = (message: string): CelError => new CelError("invalid_argument", message);

const NOT_NULLABLE = invalid("invalid data, got null for schema with nullable=false");
const NO_INT_OR_STRING = invalid("invalid data, expected XIntOrString value to be either a string or integer");
const NO_MAP = invalid("invalid data, expected a map for the provided schema with type=object");
const NO_ARRAY = invalid("invalid data, expected an array for the provided schema with type=array");
const NO_ITEMS = invalid("invalid array type, expected Items with a non-empty Schema");

const unexpected = (wanted: string, data: unknown): CelError => invalid(`invalid data, expected ${wanted}, got ${goTypeOf(data)}`);
const isInteger = (data: unknown): boolean => (typeof data === "number" ? Number.isSafeInteger(data) : typeof data === "bigint");

const readString: Reader = (data) => (typeof data === "string" ? data : unexpected("string", data));
const readBool: Reader = (data) => (typeof data === "boolean" ? data : unexpected("bool", data));
const readInt: Reader = (data) => (isInteger(data) ? data : unexpected("int", data));
const readIntOrString: Reader = (data) => (typeof data === "string" || isInteger(data) ? data : NO_INT_OR_STRING);
const readPreserved: Reader = (data) => new PreservedValue(data);

/** A whole number in JSON is a double here all the same. */
const readNumber: Reader = (data) => {
  if (typeof data === "number") return boxDouble(data);
  if (typeof data === "bigint") return boxDouble(Number(data));
  return data instanceof Double ? data : unexpected("float", data);
};

const formatted = (read: FormatReader): Reader => (data) => (typeof data === "string" ? read(data) : unexpected("string", data));
const FORMATTED: ReadonlyMap<string, Reader> = new Map([...FORMAT_READERS].map(([format, read]) => [format, formatted(read)]));

const shared = new Map<Reader, { readonly required: SchemaAdapter; readonly nullable: SchemaAdapter }>();
const adapters = new WeakMap<Schema, SchemaAdapter>();

/** The adapter for data of a schema. A resource root is to be given with `withResourceMeta`. */
export function adapterFor(schema: Schema): SchemaAdapter {
  const nullable = schema.nullable === true;
  const scalar = scalarReader(schema);
  if (scalar) {
    let pair = shared.get(scalar);
    if (pair === undefined) {
      pair = { required: new SchemaAdapter(false, scalar), nullable: new SchemaAdapter(true, scalar) };
      shared.set(scalar, pair);
    }
    return nullable ? pair.nullable : pair.required;
  }
  let adapter = adapters.get(schema);
  if (adapter === undefined) {
    adapter = new SchemaAdapter(nullable, containerReader(schema));
    adapters.set(schema, adapter);
  }
  return adapter;
}

function scalarReader(schema: Schema): Reader | undefined {
  if (isIntOrString(schema)) return readIntOrString;
  switch (schema.type) {
    case "string":
      return FORMATTED.get(schema.format ?? "") ?? readString;
    case "integer":
      return readInt;
    case "number":
      return readNumber;
    case "boolean":
      return readBool;
    case "object":
    case "array":
      return undefined;
  }
  return schema["x-kubernetes-preserve-unknown-fields"] === true ? readPreserved : undefined;
}

function containerReader(schema: Schema): Reader {
  if (schema.type === "object") return objectReader(schema);
  if (schema.type === "array") return arrayReader(schema);
  const wanted = "invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true";
  const failure = invalid(`${wanted}, got ${schema.type ?? ""}`);
  return () => failure;
}

function objectReader(given: Schema): Reader {
  const schema = isEmbeddedResource(given) ? withResourceMeta(given) : given;
  const shape = shapeOf(schema);
  return (data) => {
    if (isRecord(data)) return new SchemaObject(data, shape);
    return data instanceof SchemaObject ? data : NO_MAP;
  };
}

function shapeOf(schema: Schema): ObjectShape {
  if (hasProperties(schema)) {
    const readers = new Map<string, Reader | undefined>();
    return {
      declared: true,
      reader(name) {
        let read = readers.get(name);
        if (read === undefined) {
          const property = ownProperty(schema, name);
          if (property === undefined) return undefined; // whatever the data holds; not to be remembered
          read = adapterFor(property).toValue;
          readers.set(name, read);
        }
        return read;
      },
    };
  }
  const values = valueSchema(schema);
  if (values === undefined) return { declared: false, reader: () => undefined };
  let read: Reader | undefined;
  return { declared: false, reader: () => (read ??= adapterFor(values).toValue) };
}

function arrayReader(schema: Schema): Reader {
  const { items } = schema;
  const listType = schema["x-kubernetes-list-type"];
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map((key) => escapeName(key) ?? key);
  let element: ElementReader | undefined;
  return (data) => {
    if (!Array.isArray(data)) return data instanceof SchemaList ? data : NO_ARRAY;
    if (items === undefined) return NO_ITEMS;
    element ??= adapterFor(items).toValue;
    switch (listType) {
      case undefined:
      case "":
      case "atomic":
        return new SchemaList(data, element);
      case "set":
        return new SchemaSet(data, element);
      case "map":
        return new SchemaMapList(data, element, keys);
      default:
        return invalid(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
    }
  };
}
