// The greatest size of a schema's data, in the units that cost estimates count, and the least size of its JSON. The numbers decide which
// rules an API server accepts. Upstream: apiserver pkg/cel/common/schemas.go, pkg/cel/limits.go.

import { utf8Length } from "@celadon/base";
import {
  JSONDateSize,
  MaxDatetimeSizeJSON,
  MaxDurationSizeJSON,
  MaxRequestSizeBytes,
  MinBoolSize,
  MinDatetimeSizeJSON,
  MinDurationSizeJSON,
  MinNumberSize,
  MinStringSize,
} from "../limits.ts";
import {
  hasProperties,
  isEmbeddedResource,
  isIntOrString,
  type Schema,
  valueSchema,
  withResourceMeta,
} from "./schema.ts";

const QUOTES = 2;
const BRACKETS = 2;
/** `[]` and `{}`. */
const MIN_CONTAINER_SIZE = 2;
/** The bytes of a character, because lengths are in characters and sizes in bytes. */
const BYTES_PER_CHARACTER = 4;

const known = new WeakMap<Schema, number | "hidden">();

/** The least number of bytes of JSON; undefined when data of the schema is not exposed to CEL at all. */
export function minSizeOf(schema: Schema, resource: boolean): number | undefined {
  const whole = resource ? withResourceMeta(schema) : schema;
  let size = known.get(whole);
  if (size === undefined) {
    // A schema that contains itself is exposed, and as small as any container.
    known.set(whole, MIN_CONTAINER_SIZE);
    size = computeMinSize(whole) ?? "hidden";
    known.set(whole, size);
  }
  return size === "hidden" ? undefined : size;
}

function computeMinSize(schema: Schema): number | undefined {
  if (isIntOrString(schema)) return MinNumberSize;
  switch (schema.type) {
    case "array":
      return schema.items && childMinSize(schema.items) !== undefined ? MIN_CONTAINER_SIZE : undefined;
    case "object": {
      const values = valueSchema(schema);
      if (values) return childMinSize(values) === undefined ? undefined : MIN_CONTAINER_SIZE;
      return minObjectSize(schema);
    }
    case "string":
      return minTextSize(schema.format);
    case "boolean":
      return MinBoolSize;
    case "number":
    case "integer":
      return MinNumberSize;
    default:
      return undefined;
  }
}

const childMinSize = (schema: Schema): number | undefined => minSizeOf(schema, isEmbeddedResource(schema));

/** The braces, and every required property that no default fills in: name, value, quotes, colon and comma. */
function minObjectSize(schema: Schema): number {
  let size: number = MIN_CONTAINER_SIZE;
  const { properties, required } = schema;
  if (!properties || !required || !hasProperties(schema)) return size;
  for (const name of new Set(required)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined || (property.default !== undefined && property.default !== null)) continue;
    const child = childMinSize(property);
    if (child !== undefined) size += utf8Length(name) + child + 4;
  }
  return size;
}

function minTextSize(format: string | undefined): number {
  switch (format) {
    case "duration":
      return MinDurationSizeJSON;
    case "date":
      return JSONDateSize;
    case "date-time":
      return MinDatetimeSizeJSON;
    default:
      return MinStringSize;
  }
}

/** Characters of a text, or bytes of its decoded form, as the estimate counts them. */
export function maxTextSize(schema: Schema): number {
  const { format, maxLength } = schema;
  const unlimited = MaxRequestSizeBytes - QUOTES;
  if (isIntOrString(schema)) return maxLength === undefined ? unlimited : atLeastZero(maxLength) * BYTES_PER_CHARACTER;
  switch (format) {
    case "byte":
      return maxLength === undefined ? unlimited : atLeastZero(maxLength);
    case "duration":
      return MaxDurationSizeJSON;
    case "date":
      return JSONDateSize;
    case "date-time":
      return MaxDatetimeSizeJSON;
  }
  if (maxLength !== undefined) return atLeastZero(maxLength) * BYTES_PER_CHARACTER;
  return schema.enum && schema.enum.length > 0 ? longestText(schema.enum) : unlimited;
}

function longestText(values: readonly unknown[]): number {
  return values.reduce<number>((max, value) => (typeof value === "string" ? Math.max(max, utf8Length(value)) : max), 0);
}

/** Elements of a list: as many of the smallest as fit into a request, each with its comma. */
export function maxListSize(schema: Schema, minElementSize: number): number {
  return schema.maxItems === undefined ? entriesPerRequest(minElementSize + 1) : atLeastZero(schema.maxItems);
}

/** Entries of a map: each with an empty key, quotes, colon and comma, and two bytes for good measure. */
export function maxMapSize(schema: Schema, minValueSize: number): number {
  return schema.maxProperties === undefined ? entriesPerRequest(minValueSize + 6) : atLeastZero(schema.maxProperties);
}

const entriesPerRequest = (size: number): number => Math.floor((MaxRequestSizeBytes - BRACKETS) / size);
const atLeastZero = (limit: number): number => Math.max(0, limit);
