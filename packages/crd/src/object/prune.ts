// Pruning: what a schema does not know is taken out of an object. The object is not changed; what stays the same is shared.
// Upstream: apiextensions-apiserver pkg/apiserver/schema/pruning.

import { compareStrings } from "@celadon/kube";
import {
  isEmbedded,
  type JsonSchema,
  META_FIELDS,
  preservesUnknown,
  propertyOf,
  valuesOf,
} from "../schema/json-schema.ts";
import { isObject, type JsonObject, setOwn } from "../value/json.ts";

/** A resource keeps its apiVersion, kind and metadata, whatever its schema says. */
export function prune(
  value: unknown,
  schema: JsonSchema | undefined,
  isResource: boolean,
  unknown?: string[],
): unknown {
  const root = isResource ? asEmbedded(schema ?? {}) : schema;
  const pruned = pruneValue(value, root, "", unknown);
  unknown?.sort(compareStrings);
  return pruned;
}

const embedded = new WeakMap<JsonSchema, JsonSchema>();

function asEmbedded(schema: JsonSchema): JsonSchema {
  if (isEmbedded(schema)) return schema;
  let copy = embedded.get(schema);
  if (copy === undefined) embedded.set(schema, (copy = { ...schema, "x-kubernetes-embedded-resource": true }));
  return copy;
}

function pruneValue(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  unknown: string[] | undefined,
): unknown {
  if (schema !== undefined && preservesUnknown(schema)) return pruneDeclared(value, schema, path, unknown);
  if (Array.isArray(value))
    return mapItems(value, (item, i) => pruneValue(item, schema?.items, `${path}[${i}]`, unknown));
  if (!isObject(value)) return value;
  return mapMembers(value, (key, member) => {
    if (schema !== undefined) {
      if (isEmbedded(schema) && META_FIELDS.has(key)) return member;
      const property = propertyOf(schema, key);
      if (property !== undefined) return pruneValue(member, property, join(path, key), unknown);
      if (schema.additionalProperties !== undefined) {
        return pruneValue(member, valuesOf(schema), join(path, key), unknown);
      }
    }
    if (unknown !== undefined && (schema === undefined || path !== "" || !META_FIELDS.has(key)))
      unknown.push(join(path, key));
    return GONE;
  });
}

/** Keeps unknown members whole and prunes the known ones by their own schemas. */
function pruneDeclared(
  value: unknown,
  schema: JsonSchema | undefined,
  path: string,
  unknown: string[] | undefined,
): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value))
    return mapItems(value, (item, i) => pruneDeclared(item, schema.items, `${path}[${i}]`, unknown));
  if (!isObject(value)) return value;
  return mapMembers(value, (key, member) => {
    if (isEmbedded(schema) && META_FIELDS.has(key)) return member;
    const property = propertyOf(schema, key);
    if (property !== undefined) return pruneValue(member, property, join(path, key), unknown);
    if (schema.additionalProperties === undefined) return member;
    return pruneValue(member, valuesOf(schema), join(path, key), unknown);
  });
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

/** Stands for a member that is to be left out. */
export const GONE: unique symbol = Symbol("gone");

/** The object with its members exchanged; the same object if none was. */
export function mapMembers(object: JsonObject, change: (key: string, value: unknown) => unknown): JsonObject {
  let copy: JsonObject | undefined;
  const keys = Object.keys(object);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const changed = change(key, object[key]);
    if (copy === undefined) {
      if (changed === object[key]) continue;
      copy = {};
      for (let j = 0; j < i; j++) setOwn(copy, keys[j]!, object[keys[j]!]);
    }
    if (changed !== GONE) setOwn(copy, key, changed);
  }
  return copy ?? object;
}

/** The list with its items exchanged; the same list if none was. */
export function mapItems(list: readonly unknown[], change: (item: unknown, i: number) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const changed = change(list[i], i);
    if (copy === undefined) {
      if (changed === list[i]) continue;
      copy = list.slice(0, i);
    }
    copy.push(changed);
  }
  return copy ?? list;
}
