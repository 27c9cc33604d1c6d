// x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type: their allowed places and requirements.

import { pushAll } from "@celadon/base";
import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { type JsonSchema, propertyOf, someSchema } from "./json-schema.ts";

export interface ListTypeOptions {
  /** Items of a set must be atomic. */
  readonly atomicSets: boolean;
  /** Keys of a keyed list must be there and not null, items of sets and keyed lists not null. */
  readonly keysPresent: boolean;
}

const KEYWORDS = ["x-kubernetes-list-type", "x-kubernetes-map-type", "x-kubernetes-list-map-keys"] as const;

export function listTypeErrors(schema: JsonSchema, path: FieldPath, options: ListTypeOptions): FieldError[] {
  const errors: FieldError[] = [];
  if (KEYWORDS.every((keyword) => schema[keyword] === undefined)) return errors;
  checkMapType(schema, path, errors);
  checkListType(schema, path, options, errors);
  checkListMapKeys(schema, path, errors);
  if (options.keysPresent) pushAll(errors, nullabilityErrors(schema, path));
  return errors;
}

function needsType(schema: JsonSchema, path: FieldPath, type: string, keyword: string): FieldError {
  const detail = `must be ${type} if ${keyword} is specified`;
  const here = path.child("type");
  return schema.type === undefined ? requiredValue(here, detail) : invalidValue(here, schema.type, detail);
}

function checkMapType(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  const keyword = "x-kubernetes-map-type";
  const mapType = schema[keyword];
  if (mapType === undefined) return;
  if (schema.type !== "object") errors.push(needsType(schema, path, "object", keyword));
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.push(notSupported(path.child(keyword), mapType, ["atomic", "granular"]));
  }
}

function checkListType(schema: JsonSchema, path: FieldPath, options: ListTypeOptions, errors: FieldError[]): void {
  const keyword = "x-kubernetes-list-type";
  const listType = schema[keyword];
  if (listType === undefined) return;
  if (schema.type !== "array") errors.push(needsType(schema, path, "array", keyword));
  else if (options.atomicSets && listType === "set" && schema.items) {
    const wrong = nonAtomicItems(schema.items);
    if (wrong !== undefined) {
      const detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
      // The list type is shown even where the map type is wrong.
      errors.push(invalidValue(path.child("items", wrong), schema.items[keyword] ?? null, detail));
    }
  }
  if (listType !== "atomic" && listType !== "set" && listType !== "map") {
    errors.push(notSupported(path.child(keyword), listType, ["atomic", "set", "map"]));
  }
}

function nonAtomicItems(items: JsonSchema): "x-kubernetes-list-type" | "x-kubernetes-map-type" | undefined {
  if (items.type === "array") {
    const listType = items["x-kubernetes-list-type"];
    return listType === undefined || listType === "atomic" ? undefined : "x-kubernetes-list-type";
  }
  if (items.type !== "object" || items["x-kubernetes-map-type"] === "atomic") return undefined;
  return "x-kubernetes-map-type";
}

export function hasNonAtomicSet(schema: JsonSchema): boolean {
  return someSchema(schema, (jsonSchema) => {
    return (
      jsonSchema["x-kubernetes-list-type"] === "set" &&
      jsonSchema.items !== undefined &&
      nonAtomicItems(jsonSchema.items) !== undefined
    );
  });
}

function checkListMapKeys(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const listType = schema["x-kubernetes-list-type"];
  const typePath = path.child("x-kubernetes-list-type");
  if (keys.length > 0 && listType !== "map") {
    const detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    errors.push(listType === undefined ? requiredValue(typePath, detail) : invalidValue(typePath, listType, detail));
  }
  if (listType !== "map") return;
  const keysPath = path.child("x-kubernetes-list-map-keys");
  if (keys.length === 0) errors.push(requiredValue(keysPath, "must not be empty if x-kubernetes-list-type is map"));
  const { items } = schema;
  if (items === undefined) {
    if (schema.itemsList === undefined) {
      errors.push(requiredValue(path.child("items"), "must have a schema if x-kubernetes-list-type is map"));
    }
    return;
  }
  if (items.type !== "object") {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalidValue(path.child("items", "type"), items.type ?? "", detail));
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) {
      errors.push(invalidValue(keysPath, keys, "entries must all be names of item properties"));
    } else if (property.type === "array" || property.type === "object") {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      const here = path.child("items", "properties").key(key).child("type");
      errors.push(invalidValue(here, items.type, detail));
    }
    if (seen.has(key)) errors.push(invalidValue(keysPath, keys, "must not contain duplicate entries"));
    seen.add(key);
  }
}

/** Items of sets and keyed lists, and the keys of the latter, may not be null; keys must be given or defaulted. */
export function nullabilityErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const { items } = schema;
  const listType = schema["x-kubernetes-list-type"];
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const errors: FieldError[] = [];
  if (items.nullable) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbiddenField(path.child("items", "nullable"), detail));
  }
  if (listType === "set") return errors;
  for (const key of schema["x-kubernetes-list-map-keys"] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const here = path.child("items", "properties").key(key);
    const because = "this property is in x-kubernetes-list-map-keys, so it";
    if (!items.required?.includes(key) && property.default === undefined) {
      errors.push(requiredValue(here.child("default"), `${because} must have a default or be a required property`));
    }
    if (property.nullable) errors.push(forbiddenField(here.child("nullable"), `${because} cannot be nullable`));
  }
  return errors;
}
