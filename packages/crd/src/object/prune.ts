// Pruning: fields that a schema does not have are removed from an object. The object is not changed; what stays the same is shared.
// Upstream: apiextensions-apiserver pkg/apiserver/schema/pruning.

import { compareStrings, isRecord, type JsonObject, setOwn } from "@celadon/base";
import { FieldPath, MAX_FIELD_ERRORS } from "@celadon/kube/errors";
import {
  isEmbedded,
  type JsonSchema,
  META_FIELDS,
  preservesUnknown,
  propertyOf,
  valuesOf,
} from "../schema/json-schema.ts";

/** A resource keeps its apiVersion, kind and metadata under every schema. */
export function prune(
  value: unknown,
  schema: JsonSchema | undefined,
  isResource: boolean,
  unknown?: FieldPath[],
): unknown {
  const root = isResource ? asEmbedded(schema ?? {}) : schema;
  const pruned = new Pruner(unknown).prune(value, root);
  unknown?.sort((a, b) => compareStrings(a.toString(), b.toString()));
  return pruned;
}

const embedded = new WeakMap<JsonSchema, JsonSchema>();

function asEmbedded(schema: JsonSchema): JsonSchema {
  if (isEmbedded(schema)) return schema;
  let copy = embedded.get(schema);
  if (copy === undefined) embedded.set(schema, (copy = { ...schema, "x-kubernetes-embedded-resource": true }));
  return copy;
}

class Pruner {
  private readonly unknown: FieldPath[] | undefined;
  /** The path to the current value; made a text only for unknown fields. */
  private readonly steps: (string | number)[] = [];

  constructor(unknown: FieldPath[] | undefined) {
    this.unknown = unknown;
  }

  prune(value: unknown, schema: JsonSchema | undefined): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (schema !== undefined && preservesUnknown(schema)) return this.pruneDeclared(value, schema);
    if (Array.isArray(value)) return mapItems(value, (item, i) => this.at(i, item, schema?.items));
    if (!isRecord(value)) return value;
    return mapMembers(value, (key, member) => {
      if (schema !== undefined) {
        if (META_FIELDS.has(key) && isEmbedded(schema)) return member;
        const property = propertyOf(schema, key);
        if (property !== undefined) return this.at(key, member, property);
        if (schema.additionalProperties !== undefined) return this.at(key, member, valuesOf(schema));
      }
      this.record(key, schema);
      return GONE;
    });
  }

  /** Keeps unknown members whole and prunes the known ones by their own schemas. */
  private pruneDeclared(value: unknown, schema: JsonSchema | undefined): unknown {
    if (schema === undefined) return value;
    if (Array.isArray(value)) {
      return mapItems(value, (item, i) => {
        this.steps.push(i);
        const pruned = this.pruneDeclared(item, schema.items);
        this.steps.pop();
        return pruned;
      });
    }
    if (!isRecord(value)) return value;
    return mapMembers(value, (key, member) => {
      if (META_FIELDS.has(key) && isEmbedded(schema)) return member;
      const property = propertyOf(schema, key);
      if (property !== undefined) return this.at(key, member, property);
      return schema.additionalProperties === undefined ? member : this.at(key, member, valuesOf(schema));
    });
  }

  private at(step: string | number, value: unknown, schema: JsonSchema | undefined): unknown {
    if (typeof value !== "object" || value === null) return value;
    this.steps.push(step);
    const pruned = this.prune(value, schema);
    this.steps.pop();
    return pruned;
  }

  private record(key: string, schema: JsonSchema | undefined): void {
    if (this.unknown === undefined || this.unknown.length >= MAX_FIELD_ERRORS) return;
    if (schema !== undefined && this.steps.length === 0 && META_FIELDS.has(key)) return;
    let path = FieldPath.root;
    for (const step of this.steps) path = typeof step === "number" ? path.index(step) : path.child(step);
    this.unknown.push(path.child(key));
  }
}

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
