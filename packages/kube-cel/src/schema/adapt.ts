// Data under a schema becomes CEL values when an expression looks at it. One adapter per schema node, made when first needed and kept;
// scalars share theirs. Error texts are upstream's: apiserver pkg/cel/common/valuesunstructured.go.
//
// An adapter takes data, not values. Generated code reads data through paths without it and calls it only for a part that is used as a
// value (see `Adapter.deep`).

import { isRecord } from "@celadon/base";
import type { CelError, Value } from "@celadon/cel";
import type { Adapter } from "@celadon/cel/types";
import { escapeName } from "./escape.ts";
import { SchemaList, SchemaMapList, SchemaSet, sameElements } from "./list-values.ts";
import { type ObjectShape, SchemaObject, sameObjects } from "./object-values.ts";
import { type Part, sameValue } from "./part.ts";
import { invalid, type Reading, scalarReading } from "./scalars.ts";
import {
  hasProperties,
  isEmbeddedResource,
  ownProperty,
  type Schema,
  valueSchema,
  withResourceMeta,
} from "./schema.ts";

/** Reads data by its schema, where values differ from what JSON says. */
export class SchemaAdapter implements Adapter, Part {
  /** A schema that no data fits is always consulted, so that it can report the error. */
  readonly deep: boolean;
  readonly asIs: Adapter["asIs"];
  readonly nullable: boolean;
  readonly #reading: Reading;

  constructor(nullable: boolean, reading: Reading, deep: boolean) {
    this.nullable = nullable;
    this.deep = deep;
    this.asIs = reading.asIs;
    this.#reading = reading;
  }

  /** Data as a value. A view of data, which a host may have made before, stays as it is. */
  toValue(data: unknown): Value | CelError {
    if (data === null || data === undefined) return this.nullable ? null : NOT_NULLABLE;
    return this.#reading.read(data);
  }

  same(a: unknown, b: unknown): boolean | CelError {
    return this.#reading.same?.(a, b) ?? sameValue(this.toValue(a), this.toValue(b));
  }
}

const NOT_NULLABLE = invalid("invalid data, got null for schema with nullable=false");
const NO_MAP = invalid("invalid data, expected a map for the provided schema with type=object");
const NO_ARRAY = invalid("invalid data, expected an array for the provided schema with type=array");
const NO_ITEMS = invalid("invalid array type, expected Items with a non-empty Schema");
const NO_TYPE =
  "invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true";

const scalars = new Map<Reading, { readonly required: SchemaAdapter; readonly nullable: SchemaAdapter }>();
const containers = new WeakMap<Schema, SchemaAdapter>();

/** The adapter for data of a schema. A resource root is to be given with `withResourceMeta`. */
export function adapterFor(schema: Schema): SchemaAdapter {
  const nullable = schema.nullable === true;
  const scalar = scalarReading(schema);
  if (scalar) {
    let pair = scalars.get(scalar);
    if (pair === undefined) {
      pair = { required: new SchemaAdapter(false, scalar, true), nullable: new SchemaAdapter(true, scalar, true) };
      scalars.set(scalar, pair);
    }
    return nullable ? pair.nullable : pair.required;
  }
  let adapter = containers.get(schema);
  if (adapter === undefined) {
    const reading = containerReading(schema);
    adapter = new SchemaAdapter(nullable, reading ?? failing(schema), reading !== undefined);
    containers.set(schema, adapter);
  }
  return adapter;
}

function containerReading(schema: Schema): Reading | undefined {
  switch (schema.type) {
    case "object":
      return objectReading(schema);
    case "array":
      return arrayReading(schema);
    default:
      return undefined;
  }
}

/** A schema that data can never be read by. */
function failing(schema: Schema): Reading {
  if (schema.type !== "array") return { read: () => invalid(`${NO_TYPE}, got ${schema.type ?? ""}`) };
  const { items, "x-kubernetes-list-type": listType } = schema;
  const failure = items
    ? invalid(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`)
    : NO_ITEMS;
  return { read: (data) => (Array.isArray(data) ? failure : NO_ARRAY) };
}

function objectReading(given: Schema): Reading {
  const shape = shapeOf(isEmbeddedResource(given) ? withResourceMeta(given) : given);
  return {
    read(data) {
      if (isRecord(data)) return new SchemaObject(data, shape);
      return data instanceof SchemaObject ? data : NO_MAP;
    },
    same: (a, b) => (isRecord(a) && isRecord(b) ? sameObjects(a, b, shape) : undefined),
  };
}

function shapeOf(schema: Schema): ObjectShape {
  if (hasProperties(schema)) {
    const parts = new Map<string, Part>();
    return {
      declared: true,
      part(name) {
        const known = parts.get(name);
        if (known !== undefined) return known;
        const property = ownProperty(schema, name);
        if (property === undefined) return undefined; // whatever the data holds; not to be remembered
        const part = adapterFor(property);
        parts.set(name, part);
        return part;
      },
    };
  }
  const values = valueSchema(schema);
  if (values === undefined) return { declared: false, part: () => undefined };
  let part: Part | undefined;
  return { declared: false, part: () => (part ??= adapterFor(values)) };
}

function arrayReading({
  items,
  "x-kubernetes-list-type": listType,
  "x-kubernetes-list-map-keys": mapKeys,
}: Schema): Reading | undefined {
  if (items === undefined) return undefined;
  let known: Part | undefined;
  const part = (): Part => (known ??= adapterFor(items)); // not at once: a schema may contain itself
  const list =
    (make: (data: readonly unknown[]) => SchemaList): Reading["read"] =>
    (data) => {
      if (Array.isArray(data)) return make(data);
      return data instanceof SchemaList ? data : NO_ARRAY;
    };
  switch (listType) {
    case "set":
      return { read: list((data) => new SchemaSet(data, part())) };
    case "map": {
      const keys = (mapKeys ?? []).map((key) => escapeName(key) ?? key);
      return { read: list((data) => new SchemaMapList(data, part(), keys)) };
    }
    case undefined:
    case "":
    case "atomic":
      return {
        read: list((data) => new SchemaList(data, part())),
        same: (a, b) =>
          Array.isArray(a) && Array.isArray(b) ? a.length === b.length && sameElements(a, b, part()) : undefined,
      };
    default:
      return undefined;
  }
}
