// Whether a value conforms to a schema as generation understands it: facts about built-in types, the required content of the object, and
// defaults of a server. Keeps shrinking within objects that a server may show a policy. Junctors (allOf, anyOf, oneOf, not) are left to the
// validator of custom resources.

import { isRecord, own } from "@celadon/base";
import { type RefinedSchema, refine } from "@celadon/kube/facts";
import type { Schema } from "@celadon/kube/schemas";
import { identity, mapKeys } from "./collections.ts";
import type { Focus } from "./focus.ts";
import { leastOf } from "./generate.ts";
import { numberFits } from "./numbers.ts";
import { jsonKey } from "./plain.ts";
import { checkOf, hasFormat } from "./texts.ts";

export interface AcceptOptions {
  readonly focus?: Focus | undefined;
  readonly least?: unknown;
  readonly serverDefaults?: boolean;
  /** False: required content may have other values than the generated ones. */
  readonly exact?: boolean;
}

export function accepts(
  given: Schema,
  value: unknown,
  { focus, least, serverDefaults = true, exact = true }: AcceptOptions = {},
): boolean {
  if (least !== undefined && !isRecord(least)) return jsonKey(least) === jsonKey(value);
  const schema = refine(given);
  if (value === null) return schema.nullable === true && least === undefined;
  if (schema.enum !== undefined) return schema.enum.some((item) => jsonKey(item) === jsonKey(value));
  if (schema.intOrString || schema.format === "int-or-string") {
    if (typeof value === "string") return checkOf(schema)(value);
    return typeof value === "number" && numberFits({ ...schema, type: "integer", format: "int32" }, value);
  }
  switch (schema.type) {
    case "object":
      return isRecord(value) && acceptsObject(schema, value, { focus, least, serverDefaults, exact });
    case "array":
      return Array.isArray(value) && acceptsList(schema, value, { focus, serverDefaults, exact });
    case "string":
      return typeof value === "string" && checkOf(schema)(value) && hasFormat(schema.format, value);
    case "integer":
    case "number":
      return (typeof value === "number" || typeof value === "bigint") && numberFits(schema, value);
    case "boolean":
      return typeof value === "boolean";
    default:
      return (
        !isRecord(value) ||
        acceptsObject({ ...schema, preserveUnknownFields: true }, value, { focus, least, serverDefaults, exact })
      );
  }
}

function acceptsObject(
  schema: RefinedSchema,
  object: Readonly<Record<string, unknown>>,
  options: AcceptOptions,
): boolean {
  const { focus, serverDefaults = true, exact = true } = options;
  const least = leastOf(schema, options.least);
  const { properties, required = [], always, minProperties = 0, maxProperties = Infinity } = schema;
  const names = Object.keys(object);
  if (names.length < minProperties || names.length > maxProperties) return false;
  const has = (name: string): boolean => Object.hasOwn(object, name);
  if (!required.every(has) || !Object.keys(least ?? {}).every(has)) return false;
  if (serverDefaults && focus && Object.keys(always ?? {}).some((name) => focus.children.has(name) && !has(name)))
    return false;
  const { additionalProperties, preserveUnknownFields } = schema;
  const keys = mapKeys(schema, undefined);
  return names.every((name) => {
    const below = {
      focus: focus?.children.get(name) ?? focus?.itemsIfRead,
      least: exact ? own(least, name) : undefined,
      serverDefaults,
      exact,
    };
    const property = properties?.get(name);
    if (property !== undefined) return accepts(property, object[name], below);
    if (Object.hasOwn(least ?? {}, name)) return accepts({}, object[name], below);
    if (!keys.accepts(name)) return false;
    if (isRecord(additionalProperties)) return accepts(additionalProperties, object[name], below);
    return additionalProperties === true || preserveUnknownFields === true;
  });
}

function acceptsList(
  schema: RefinedSchema,
  list: readonly unknown[],
  { focus, serverDefaults = true, exact = true }: AcceptOptions,
): boolean {
  const { minItems = 0, maxItems = Infinity, items = {}, listType, listMapKeys = [], uniqueItems } = schema;
  if (list.length < minItems || list.length > maxItems) return false;
  if (listType === "set" || listType === "map" || uniqueItems) {
    if (new Set(list.map((element) => identity(element, listType, listMapKeys))).size < list.length) return false;
  }
  return list.every((element) => accepts(items, element, { focus: focus?.itemsIfRead, serverDefaults, exact }));
}
