// Sets hold no value twice, keyed lists no key. Upstream: apiextensions-apiserver pkg/apiserver/schema/listtype.

import { formatGoJson, goTypeName, isRecord, type JsonObject, pushAll, setOwn } from "@celadon/base";
import { duplicateValue, type FieldError, FieldPath, invalidValue, MAX_FIELD_ERRORS } from "@celadon/kube/errors";
import { type JsonSchema, propertiesOf, propertyOf, valuesOf } from "../schema/json-schema.ts";

const known = new WeakMap<JsonSchema, boolean>();

/** Whether there is a set or a keyed list at this schema or below it. */
function hasUniqueLists(schema: JsonSchema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const listType = schema["x-kubernetes-list-type"];
    const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
    has =
      listType === "set" ||
      listType === "map" ||
      children.some((child) => child !== undefined && hasUniqueLists(child));
    known.set(schema, has);
  }
  return has;
}

export function uniquenessErrors(value: unknown, schema: JsonSchema, path: FieldPath = FieldPath.root): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, path, errors);
  return errors;
}

function visit(value: unknown, schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  if (!hasUniqueLists(schema)) return;
  if (Array.isArray(value)) {
    if (schema["x-kubernetes-list-type"] === "set") pushAll(errors, setErrors(value, path));
    else if (schema["x-kubernetes-list-type"] === "map") pushAll(errors, keyErrors(value, schema, path));
    const { items } = schema;
    if (!items || !hasUniqueLists(items)) return;
    for (let i = 0; i < value.length && errors.length < MAX_FIELD_ERRORS; i++) {
      visit(value[i], items, path.index(i), errors);
    }
    return;
  }
  if (!isRecord(value)) return;
  const values = valuesOf(schema);
  if (values && hasUniqueLists(values)) {
    for (const key of Object.keys(value)) visit(value[key], values, path.key(key), errors);
  }
  for (const key of Object.keys(value)) {
    const property = propertyOf(schema, key);
    if (property) visit(value[key], property, path.child(key), errors);
  }
}

function setErrors(list: readonly unknown[], path: FieldPath): FieldError[] {
  return secondOccurrences(list).map((i) => duplicateValue(path.index(i), list[i]));
}

/** The second occurrence of a value; further ones are not reported. */
function secondOccurrences(list: readonly unknown[]): number[] {
  if (list.length < 2) return [];
  const times = new Map<string, number>();
  const found: number[] = [];
  list.forEach((item, i) => {
    // Go compares scalars by type and value, everything else by its JSON.
    const key = typeof item === "string" ? item : `\0${goTypeName(item)}\0${item === ABSENT ? "" : formatGoJson(item)}`;
    const seen = times.get(key) ?? 0;
    times.set(key, seen + 1);
    if (seen === 1 && found.length < MAX_FIELD_ERRORS) found.push(i);
  });
  return found;
}

const ABSENT: unique symbol = Symbol("no key");

function keyErrors(list: readonly unknown[], schema: JsonSchema, path: FieldPath): FieldError[] {
  const wrong = list.findIndex((item) => item !== null && !isRecord(item));
  if (wrong !== -1) {
    return [invalidValue(path.index(wrong), list[wrong], "must be an object for an array of list-type map")];
  }
  if (list.length < 2) return [];
  const names = schema["x-kubernetes-list-map-keys"] ?? [];
  const keys = list.map((item) => keysOf(item as JsonObject | null, names));
  const [only] = names;
  const compared = names.length === 1 ? keys.map((key) => (Object.hasOwn(key, only!) ? key[only!] : ABSENT)) : keys;
  return secondOccurrences(compared).map((i) => duplicateValue(path.index(i), keys[i]));
}

function keysOf(item: JsonObject | null, names: readonly string[]): JsonObject {
  const keys: JsonObject = {};
  for (const name of names) if (item !== null && Object.hasOwn(item, name)) setOwn(keys, name, item[name]);
  return keys;
}
