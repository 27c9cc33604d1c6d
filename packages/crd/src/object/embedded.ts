// Resources inside resources (x-kubernetes-embedded-resource): their metadata is decoded and validated like any other.
// Only the parts of an object that can hold one are visited.

import { compareStrings, deepEqual, isRecord, type JsonObject, pushAll } from "@celadon/base";
import { parseGroupVersion } from "@celadon/kube";
import { type FieldError, FieldPath, Invalid, invalidValue, oncePut, requiredValue } from "@celadon/kube/errors";
import { validateManagedFields, validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1035Label, checkPathSegmentName } from "@celadon/kube/names";
import { DecodeFailure } from "../decode.ts";
import { isEmbedded, type JsonSchema, propertiesOf, propertyOf, valuesOf } from "../schema/json-schema.ts";
import { decodeMetadata, decodeMetadataLeniently } from "./decode-metadata.ts";
import { GONE, mapItems, mapMembers } from "./prune.ts";

const known = new WeakMap<JsonSchema, boolean>();

/** Whether a resource can be at this schema or below it. */
function hasEmbedded(schema: JsonSchema): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    const children = [...propertiesOf(schema).map(([, property]) => property), schema.items, valuesOf(schema)];
    has = isEmbedded(schema) || children.some((child) => child !== undefined && hasEmbedded(child));
    known.set(schema, has);
  }
  return has;
}

export interface Coercion {
  readonly value: unknown;
  readonly unknown: readonly FieldPath[];
}

/**
 * Embedded metadata as it is kept: unknown keys dropped. Values of the wrong type are an error, or dropped where objects come
 * out of storage (`lenient`).
 */
export function coerceEmbedded(value: unknown, schema: JsonSchema, lenient: boolean): Coercion | FieldError {
  if (!hasEmbedded(schema)) return { value, unknown: [] };
  const unknown: FieldPath[] = [];
  try {
    const coerced = coerce(value, schema, FieldPath.root, lenient, unknown);
    return { value: coerced, unknown: unknown.sort((a, b) => compareStrings(a.toString(), b.toString())) };
  } catch (thrown) {
    if (thrown instanceof CoercionFailure) return thrown.error;
    throw thrown;
  }
}

class CoercionFailure extends Error {
  readonly error: FieldError;
  constructor(error: FieldError) {
    super();
    this.error = error;
  }
}

function coerce(value: unknown, schema: JsonSchema, path: FieldPath, lenient: boolean, unknown: FieldPath[]): unknown {
  if (!hasEmbedded(schema)) return value;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items ? mapItems(value, (item, i) => coerce(item, items, path.index(i), lenient, unknown)) : value;
  }
  if (!isRecord(value)) return value;
  return mapMembers(value, (key, given) => {
    const member = isEmbedded(schema) ? coerceMeta(key, given, path, lenient, unknown) : given;
    const property = propertyOf(schema, key);
    if (property !== undefined) return coerce(member, property, path.child(key), lenient, unknown);
    const values = valuesOf(schema);
    return values === undefined ? member : coerce(member, values, path.key(key), lenient, unknown);
  });
}

function coerceMeta(key: string, value: unknown, path: FieldPath, lenient: boolean, unknown: FieldPath[]): unknown {
  if (key === "apiVersion" || key === "kind") {
    if (typeof value === "string") return value;
    if (lenient) return GONE;
    throw new CoercionFailure(invalidValue(path.child(key), value, "must be a string"));
  }
  if (key !== "metadata") return value;
  try {
    const decoded = lenient ? decodeMetadataLeniently(value) : decodeMetadata(value);
    for (const name of decoded.unknown) unknown.push(path.child("metadata").below(name));
    return deepEqual(value, decoded.metadata) ? value : decoded.metadata;
  } catch (thrown) {
    if (!(thrown instanceof DecodeFailure)) throw thrown;
    throw new CoercionFailure(invalidValue(path.child("metadata"), value, thrown.message));
  }
}

/** The errors of embedded resources; with the object itself too if it is to be seen as one. */
export function embeddedErrors(value: unknown, schema: JsonSchema, path: FieldPath, isResource = false): FieldError[] {
  const errors: FieldError[] = [];
  if (isResource || hasEmbedded(schema)) validate(value, schema, path, isResource, errors);
  return errors;
}

function validate(
  value: unknown,
  schema: JsonSchema,
  path: FieldPath,
  isResource: boolean,
  errors: FieldError[],
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items && hasEmbedded(items))
      value.forEach((item, i) => void validate(item, items, path.index(i), false, errors));
    return;
  }
  if (!isRecord(value)) return;
  if (isResource || isEmbedded(schema)) pushAll(errors, resourceErrors(value, path));
  for (const key of Object.keys(value)) {
    const property = propertyOf(schema, key);
    const child = property ?? valuesOf(schema);
    if (child === undefined || !hasEmbedded(child)) continue;
    validate(value[key], child, property === undefined ? path.key(key) : path.child(key), false, errors);
  }
}

function resourceErrors(object: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["apiVersion", "kind"] as const) {
    if (!Object.hasOwn(object, key)) errors.push(oncePut(requiredValue(path.child(key)), "must not be empty"));
  }
  for (const key of Object.keys(object)) {
    const here = path.child(key);
    const value = object[key];
    if (key === "apiVersion" || key === "kind") {
      if (typeof value !== "string") errors.push(invalidValue(here, value, "must be a string"));
      else if (value === "") errors.push(invalidValue(here, value, "must not be empty"));
      else pushAll(errors, key === "kind" ? kindErrors(value, here) : versionErrors(value, here));
    } else if (key === "metadata") pushAll(errors, metadataErrors(value, here));
  }
  return errors;
}

function versionErrors(apiVersion: string, path: FieldPath): FieldError[] {
  const parsed = parseGroupVersion(apiVersion);
  return parsed instanceof Invalid ? [invalidValue(path, apiVersion, parsed.message)] : [];
}

function kindErrors(kind: string, path: FieldPath): FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  if (problems.length === 0) return [];
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${problems.join(",")}`)];
}

function metadataErrors(value: unknown, path: FieldPath): FieldError[] {
  try {
    const { metadata } = decodeMetadata(value);
    // The check needs no name here, so a placeholder satisfies it.
    const named = metadata.name ? metadata : { ...metadata, name: "fakename" };
    const errors = validateObjectMeta(named, Boolean(metadata.namespace), checkPathSegmentName, path);
    return [...errors, ...validateManagedFields(metadata, path.child("managedFields"))];
  } catch (thrown) {
    if (!(thrown instanceof DecodeFailure)) throw thrown;
    return [invalidValue(path, value, thrown.message)];
  }
}
