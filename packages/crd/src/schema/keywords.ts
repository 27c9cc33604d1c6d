// Keywords of a schema one by one: those that a CustomResourceDefinition may not have, and the requirements of the others. Rules are passed
// on for compilation, once nothing else is wrong at their node or below.

import { pushAll } from "@celadon/base";
import { type FieldError, type FieldPath, forbiddenField, invalidValue, notSupported } from "@celadon/kube/errors";
import { isEmbedded, type JsonSchema, META_FIELDS, propertiesOf, rulesOf } from "./json-schema.ts";
import { type ListTypeOptions, listTypeErrors } from "./list-types.ts";
import { ruleFieldErrors } from "./rule-fields.ts";

export interface KeywordOptions extends ListTypeOptions {
  readonly validTypes: boolean;
}

/** Compiles the rules of nodes; made anew for every step from a schema to one inside it. */
export interface RuleScope {
  /** Checks the rules of this node. `uncorrelatable` is the highest list whose items have no old value. */
  check(schema: JsonSchema, path: FieldPath, uncorrelatable: FieldPath | undefined): FieldError[];
  /** The scope of a child of `schema`: of a property, or of its elements. */
  below(schema: JsonSchema, child: JsonSchema, property?: string): RuleScope;
}

export interface KeywordErrors {
  readonly schema: FieldError[];
  readonly rules: FieldError[];
}

interface Place {
  readonly root: boolean;
  /** Why a default may not stand here; undefined where it may. */
  readonly noDefault: string | undefined;
  readonly insideMeta: boolean;
  readonly uncorrelatable: FieldPath | undefined;
}

export const OPENAPI_TYPES: readonly string[] = ["array", "boolean", "integer", "number", "object", "string"];

export function keywordErrors(
  schema: JsonSchema,
  path: FieldPath,
  options: KeywordOptions,
  rules: RuleScope | undefined,
): KeywordErrors {
  const place: Place = { root: true, noDefault: undefined, insideMeta: false, uncorrelatable: undefined };
  return visit(schema, path, place, options, rules);
}

function visit(
  schema: JsonSchema,
  path: FieldPath,
  place: Place,
  options: KeywordOptions,
  rules: RuleScope | undefined,
): KeywordErrors {
  const errors: KeywordErrors = { schema: [], rules: [] };
  checkOwn(schema, path, place, options, errors.schema);
  const inside = place.root ? { ...place, root: false } : place;
  const descend = (child: JsonSchema, at: FieldPath, there: Place, scope: RuleScope | undefined): void => {
    const found = visit(child, at, there, options, scope);
    if (found.schema.length > 0) pushAll(errors.schema, found.schema);
    if (found.rules.length > 0) pushAll(errors.rules, found.rules);
  };
  if (typeof schema.additionalProperties === "object") {
    const noDefault = place.insideMeta ? "inside additionalProperties applying to object metadata" : place.noDefault;
    const values = schema.additionalProperties;
    descend(values, path.child("additionalProperties"), { ...inside, noDefault }, rules?.below(schema, values));
  }
  for (const [name, property] of propertiesOf(schema)) {
    const there = propertyPlace(schema, name, place, inside, path);
    descend(property, path.child("properties").key(name), there, rules?.below(schema, property, name));
  }
  if (schema.not) descend(schema.not, path.child("not"), inside, undefined);
  for (const junctor of JUNCTORS) {
    schema[junctor]?.forEach(
      (jsonSchema, i) => void descend(jsonSchema, path.child(junctor).index(i), inside, undefined),
    );
  }
  if (schema.items || schema.itemsList) {
    const item = schema["x-kubernetes-list-type"] === "map" ? inside : withoutOldItems(inside, path);
    if (schema.items) descend(schema.items, path.child("items"), item, rules?.below(schema, schema.items));
    schema.itemsList?.forEach(
      (jsonSchema, i) => void descend(jsonSchema, path.child("items").index(i), item, rules?.below(schema, jsonSchema)),
    );
  }
  if (schema.definitions || schema.dependencies)
    descendUnsupported(schema, path, (jsonSchema, at) => descend(jsonSchema, at, inside, undefined));
  checkPreserve(schema, path, errors.schema);
  pushAll(errors.schema, listTypeErrors(schema, path, options));
  checkRules(schema, path, place, errors, rules);
  return errors;
}

const JUNCTORS = ["allOf", "oneOf", "anyOf"] as const;

/** Schemas inside keywords that are not supported are checked all the same. */
function descendUnsupported(
  schema: JsonSchema,
  path: FieldPath,
  descend: (jsonSchema: JsonSchema, at: FieldPath) => void,
): void {
  for (const [name, jsonSchema] of Object.entries(schema.definitions ?? {}))
    descend(jsonSchema, path.child("definitions").key(name));
  for (const [name, value] of Object.entries(schema.dependencies ?? {})) {
    if (!Array.isArray(value)) descend(value as JsonSchema, path.child("dependencies").key(name));
  }
}

function withoutOldItems(place: Place, path: FieldPath): Place {
  return place.uncorrelatable === undefined ? { ...place, uncorrelatable: path } : place;
}

function propertyPlace(schema: JsonSchema, name: string, parent: Place, inside: Place, path: FieldPath): Place {
  const mapType = schema["x-kubernetes-map-type"];
  const known = mapType === undefined || mapType === "granular" || mapType === "atomic";
  const place = known ? inside : withoutOldItems(inside, path);
  if ((!parent.root && !isEmbedded(schema)) || !META_FIELDS.has(name)) return place;
  return { ...place, insideMeta: true, noDefault: parent.root ? `in top-level ${name}` : place.noDefault };
}

// biome-ignore format: one keyword per line
const UNSUPPORTED: readonly (readonly [keyof JsonSchema, (value: unknown) => boolean])[] = [
  ["id",                (value) => value !== ""],
  ["additionalItems",   () => true],
  ["patternProperties", (value) => Object.keys(value as object).length > 0],
  ["definitions",       (value) => Object.keys(value as object).length > 0],
  ["dependencies",      () => true],
  ["$ref",              () => true],
];

function checkOwn(
  schema: JsonSchema,
  path: FieldPath,
  place: Place,
  options: KeywordOptions,
  errors: FieldError[],
): void {
  const { type } = schema;
  if (options.validTypes && type !== undefined && !OPENAPI_TYPES.includes(type)) {
    errors.push(notSupported(path.child("type"), type, OPENAPI_TYPES));
  }
  if (schema.default !== undefined && place.noDefault !== undefined) {
    errors.push(forbiddenField(path.child("default"), `must not be set ${place.noDefault}`));
  }
  for (const [keyword, isSet] of UNSUPPORTED) {
    const value = schema[keyword];
    if (value !== undefined && isSet(value))
      errors.push(forbiddenField(path.child(keyword), `${keyword} is not supported`));
  }
  if (type === "null") {
    errors.push(forbiddenField(path.child("type"), "type cannot be set to null, use nullable as an alternative"));
  }
  if (schema.itemsList !== undefined && schema.itemsList.length > 0) {
    errors.push(forbiddenField(path.child("items"), "items must be a schema object and not an array"));
  }
  if (place.insideMeta && isEmbedded(schema)) {
    errors.push(
      forbiddenField(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"),
    );
  }
  if (schema.uniqueItems) {
    const detail = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic";
    errors.push(forbiddenField(path.child("uniqueItems"), detail));
  }
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && propertiesOf(schema).length > 0) {
    const detail = "additionalProperties and properties are mutual exclusive";
    errors.push(forbiddenField(path.child("additionalProperties"), detail));
  }
}

function checkPreserve(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  const keyword = "x-kubernetes-preserve-unknown-fields";
  if (schema[keyword] === false) errors.push(invalidValue(path.child(keyword), false, "must be true or undefined"));
}

function checkRules(
  schema: JsonSchema,
  path: FieldPath,
  place: Place,
  errors: KeywordErrors,
  rules: RuleScope | undefined,
): void {
  const list = rulesOf(schema);
  if (list.length === 0) return;
  const here = path.child("x-kubernetes-validations");
  list.forEach((rule, i) => void pushAll(errors.schema, ruleFieldErrors(rule, schema, here.index(i))));
  if (errors.schema.length === 0 && rules) pushAll(errors.rules, rules.check(schema, path, place.uncorrelatable));
}
