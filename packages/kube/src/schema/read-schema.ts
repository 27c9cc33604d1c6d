// JSON → Schema. Keywords of the wrong JSON type are left out: validation of the document reports them.
// References are resolved by the caller's table, which may still be filling the requested schema.

import { Double, isRecord, own } from "@celadon/base";
import type { Schema, ValidationRule } from "./schema.ts";

/** A schema while it is filled in. */
export type OpenSchema = { -readonly [K in keyof Schema]: Schema[K] };

/** Finds the target of a `$ref`, or undefined. */
export type ResolveRef = (ref: string) => Schema | undefined;

/** Calls back once every referenced schema is filled in. */
export type AfterReading = (fill: () => void) => void;

const TEXTS = ["type", "format", "title", "description", "pattern"] as const;
const NUMBERS = [
  "minProperties",
  "maxProperties",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "multipleOf",
] as const;
const FLAGS = ["nullable", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum"] as const;
const LISTS = ["allOf", "anyOf", "oneOf"] as const;

/** Reads a schema without references, such as a CustomResourceDefinition's. */
export function readSchema(json: unknown): Schema {
  const schema: OpenSchema = {};
  fillSchema(
    schema,
    json,
    () => undefined,
    (fill) => fill(),
  );
  return schema;
}

export function fillSchema(schema: OpenSchema, json: unknown, resolve: ResolveRef, after: AfterReading): void {
  if (!isRecord(json)) return;
  for (const key of TEXTS) {
    const text = json[key];
    if (typeof text === "string" && Object.hasOwn(json, key)) schema[key] = text;
  }
  for (const key of NUMBERS) {
    const n = Object.hasOwn(json, key) ? numberOf(json[key]) : undefined;
    if (n !== undefined) schema[key] = n;
  }
  for (const key of FLAGS) if (Object.hasOwn(json, key) && json[key] === true) schema[key] = true;
  if (Object.hasOwn(json, "default")) schema.default = json.default;
  if (Object.hasOwn(json, "enum") && Array.isArray(json.enum)) schema.enum = json.enum;
  const required = texts(own(json, "required"));
  if (required !== undefined) schema.required = required;
  fillExtensions(schema, json);

  const sub = (value: unknown): Schema => readSub(value, resolve, after);
  const properties = own(json, "properties");
  if (isRecord(properties)) {
    schema.properties = new Map(Object.entries(properties).map(([name, value]) => [name, sub(value)]));
  }
  const additional = own(json, "additionalProperties");
  if (typeof additional === "boolean") schema.additionalProperties = additional;
  else if (isRecord(additional)) schema.additionalProperties = sub(additional);
  const items = own(json, "items");
  if (isRecord(items)) schema.items = sub(items);
  const not = own(json, "not");
  if (isRecord(not)) schema.not = sub(not);
  for (const key of LISTS) {
    const list = own(json, key);
    if (Array.isArray(list)) schema[key] = list.map(sub);
  }
}

function readSub(json: unknown, resolve: ResolveRef, after: AfterReading): Schema {
  const ref = isRecord(json) ? refOf(json) : undefined;
  const target = ref === undefined ? undefined : resolve(ref);
  if (target === undefined) {
    const schema: OpenSchema = {};
    fillSchema(schema, json, resolve, after);
    return schema;
  }
  const { $ref: _ref, allOf: _allOf, ...rest } = json as Record<string, unknown>;
  if (Object.keys(rest).length === 0) return target;
  // Keywords beside a reference add to its target; OpenAPI v3 writes defaults and descriptions so.
  const schema: OpenSchema = {};
  after(() => {
    Object.assign(schema, target);
    fillSchema(schema, rest, resolve, after);
  });
  return schema;
}

/** The reference of `{$ref}` and of `{allOf: [{$ref}]}`. */
function refOf(json: Record<string, unknown>): string | undefined {
  const direct = own(json, "$ref");
  if (typeof direct === "string") return direct;
  const all = own(json, "allOf");
  if (!Array.isArray(all) || all.length !== 1 || Object.hasOwn(json, "type")) return undefined;
  const ref = isRecord(all[0]) ? own(all[0], "$ref") : undefined;
  return typeof ref === "string" ? ref : undefined;
}

function fillExtensions(schema: OpenSchema, json: Record<string, unknown>): void {
  if (own(json, "x-kubernetes-preserve-unknown-fields") === true) schema.preserveUnknownFields = true;
  if (own(json, "x-kubernetes-embedded-resource") === true) schema.embeddedResource = true;
  if (own(json, "x-kubernetes-int-or-string") === true || schema.format === "int-or-string") schema.intOrString = true;
  const listType = own(json, "x-kubernetes-list-type");
  if (typeof listType === "string") schema.listType = listType;
  const mapType = own(json, "x-kubernetes-map-type");
  if (typeof mapType === "string") schema.mapType = mapType;
  const keys = texts(own(json, "x-kubernetes-list-map-keys"));
  if (keys !== undefined) schema.listMapKeys = keys;
  const rules = own(json, "x-kubernetes-validations");
  if (Array.isArray(rules)) schema.validations = rules.filter(isRecord).map(readRule);
}

function readRule(json: Record<string, unknown>): ValidationRule {
  const rule: { -readonly [K in keyof ValidationRule]: ValidationRule[K] } = { rule: "" };
  for (const key of ["rule", "message", "messageExpression", "reason", "fieldPath"] as const) {
    const text = own(json, key);
    if (typeof text === "string") rule[key] = text;
  }
  const optional = own(json, "optionalOldSelf");
  if (typeof optional === "boolean") rule.optionalOldSelf = optional;
  return rule;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  return value instanceof Double ? value.value : undefined;
}

function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : undefined;
}
