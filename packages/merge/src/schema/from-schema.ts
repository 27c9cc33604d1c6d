// Schemas of custom resources → merge types, as kube-openapi's schemaconv reads them: a list that is not declared as map or set is atomic,
// unknown members are allowed where the schema preserves them, a value without a type may be anything.

import type { GroupVersionKind } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import { builtinMergeType } from "./builtin-types.ts";
import {
  DEDUCED,
  type ListType,
  type MapType,
  type MergeField,
  type MergeType,
  type Scalar,
  UNTYPED,
} from "./merge-type.ts";
import { LazyList, StructType } from "./struct-type.ts";

const CONFIG_MAP: GroupVersionKind = { group: "", version: "v1", kind: "ConfigMap" };
const TEXT: MergeField = { type: { scalar: "string" } };

const known: readonly [WeakMap<Schema, MergeType>, WeakMap<Schema, MergeType>] = [new WeakMap(), new WeakMap()];
const roots: readonly [WeakMap<Schema, MergeType>, WeakMap<Schema, MergeType>] = [new WeakMap(), new WeakMap()];

/** Options for reading the schema of a definition. */
export interface StructuralOptions {
  /** spec.preserveUnknownFields of a definition from the time before structural schemas. */
  readonly preserveUnknownFields?: boolean;
}

/** The type of a custom resource; without a schema everything is deduced from the values. */
export function customMergeType(schema: Schema | undefined, options: StructuralOptions = {}): MergeType {
  if (schema === undefined) return DEDUCED;
  const preserve = options.preserveUnknownFields === true;
  const cache = roots[Number(preserve)]!;
  const read = cache.get(schema) ?? convert(schema, preserve, true);
  cache.set(schema, read);
  return read;
}

/** The metadata every object has. */
export function objectMetaField(): MergeField {
  return builtinMergeType(CONFIG_MAP)!.map!.field("metadata")!;
}

function typeOf(schema: Schema, preserve: boolean): MergeType {
  const cache = known[Number(preserve)]!;
  const read = cache.get(schema) ?? convert(schema, preserve, false);
  cache.set(schema, read);
  return read;
}

function convert(schema: Schema, outer: boolean, isRoot: boolean): MergeType {
  const preserve = outer || schema.preserveUnknownFields === true;
  switch (schema.type) {
    case undefined:
    case "":
      return { scalar: "untyped", list: listOf(schema, preserve), map: mapOf(schema, preserve, isRoot) };
    case "object":
      return { map: mapOf(schema, preserve, isRoot) };
    case "array":
      return { list: listOf(schema, preserve) };
    default:
      return { scalar: scalarOf(schema) };
  }
}

function scalarOf({ type, format }: Schema): Scalar {
  switch (type) {
    case "integer":
    case "number":
      return "numeric";
    case "boolean":
      return "boolean";
    default:
      return type === "string" && (format === undefined || format === "" || format === "byte") ? "string" : "untyped";
  }
}

function listOf(schema: Schema, preserve: boolean): ListType {
  const { items, listType } = schema;
  const read = (): MergeType => (items === undefined ? UNTYPED : typeOf(items, preserve));
  if (listType === "map") return new LazyList(true, schema.listMapKeys ?? [], read);
  return new LazyList(listType === "set", [], read);
}

function mapOf(schema: Schema, preserve: boolean, isRoot: boolean): MapType {
  const { properties, additionalProperties: additional } = schema;
  const isObject = isRoot || schema.embeddedResource === true;
  const others =
    additional === undefined
      ? preserve || (!isObject && (properties === undefined || properties.size === 0))
        ? DEDUCED
        : undefined
      : typeof additional === "object"
        ? typeOf(additional, preserve)
        : additional
          ? DEDUCED
          : undefined;
  const read = (name: string): MergeField | undefined => {
    if (isObject) {
      if (name === "metadata") return objectMetaField();
      if (name === "apiVersion" || name === "kind") return TEXT;
    }
    const property = properties?.get(name);
    if (property === undefined) return undefined;
    return { type: typeOf(property, preserve), ...(property.default !== undefined && { default: property.default }) };
  };
  const bare = !isObject && (properties === undefined || properties.size === 0);
  return new StructType(read, {
    atomic: schema.mapType === "atomic",
    others,
    // Inlined types of any scalar count as deduced too.
    deduced: bare && others !== undefined && (others === DEDUCED || others.scalar === "untyped"),
  });
}
