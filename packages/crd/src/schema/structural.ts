// Structural schemas: rules for every schema of a CustomResourceDefinition, which allow values to be pruned, defaulted and typed without
// knowing the data. Errors are sorted by their text. Upstream: apiextensions-apiserver pkg/apiserver/schema.

import { compareStrings, deepEqual } from "@celadon/base";
import { isError } from "@celadon/cel";
import { compileRegex } from "@celadon/cel/regex";
import {
  type FieldError,
  type FieldPath,
  fieldErrorText,
  forbiddenField,
  invalidValue,
  requiredValue,
} from "@celadon/kube/errors";
import { isEmbedded, isIntOrString, type JsonSchema, preservesUnknown, propertiesOf, valuesOf } from "./json-schema.ts";

type Level = "root" | "item" | "field";

/** Why a schema cannot even be read as a structural one; such a text is shown only when nothing else is wrong. */
export function conversionProblem(schema: JsonSchema): string | undefined {
  const unsupported = UNSUPPORTED.find((keyword) => isSet(keyword, schema[keyword]));
  if (unsupported !== undefined)
    return `OpenAPIV3Schema '${unsupported.replace("$schema", "schema")}' is not supported`;
  if (schema.itemsList !== undefined && schema.itemsList.length > 0) {
    return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  for (const child of nestedAndSpine(schema)) {
    const problem = conversionProblem(child);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// In the order they are checked.
const UNSUPPORTED = [
  "id",
  "$schema",
  "$ref",
  "patternProperties",
  "dependencies",
  "additionalItems",
  "definitions",
] as const satisfies readonly (keyof JsonSchema)[];

function isSet(keyword: (typeof UNSUPPORTED)[number], value: unknown): boolean {
  // additionalItems is unsupported with any content.
  if (keyword !== "additionalItems" && typeof value === "object" && value !== null)
    return Object.keys(value).length > 0;
  return value !== undefined && value !== "";
}

function* nestedAndSpine(schema: JsonSchema): Generator<JsonSchema> {
  if (schema.not) yield schema.not;
  yield* schema.allOf ?? [];
  yield* schema.anyOf ?? [];
  yield* schema.oneOf ?? [];
  if (schema.items) yield schema.items;
  yield* Object.values(schema.properties ?? {});
  const values = valuesOf(schema);
  if (values) yield values;
}

/** All that keeps a readable schema from being structural. */
export function structuralErrors(schema: JsonSchema, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  checkSpine(schema, "root", path, errors);
  checkJunctorCompleteness(schema, schema, path, path, errors);
  const texts = new Map(errors.map((error) => [error, fieldErrorText(error)]));
  return errors.sort((a, b) => compareStrings(texts.get(a)!, texts.get(b)!));
}

function checkSpine(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  if (schema.type === "array" && !schema.items) errors.push(requiredValue(path.child("items"), "must be specified"));
  if (schema.items) checkSpine(schema.items, "item", path.child("items"), errors);
  for (const [name, property] of propertiesOf(schema)) {
    checkSpine(property, "field", path.child("properties").key(name), errors);
  }
  if (schema.additionalProperties !== undefined) {
    const here = path.child("additionalProperties");
    if (level === "root") errors.push(forbiddenField(here, "must not be used at the root"));
    const values = valuesOf(schema);
    if (values) checkSpine(values, "field", here, errors);
  }
  checkIntOrString(schema, path, errors);
  checkPattern(schema, path, errors);
  checkJunctors(schema, path, errors, intOrStringForms(schema));
  checkType(schema, level, path, errors);
  checkMeta(schema, level, path, errors);
}

function checkIntOrString(schema: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  if (!isIntOrString(schema)) return;
  const detail = "must be false if x-kubernetes-int-or-string is true";
  for (const keyword of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[keyword] === true) errors.push(invalidValue(path.child(keyword), true, detail));
  }
}

function checkType(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const here = path.child("type");
  const { type } = schema;
  const embedded = isEmbedded(schema);
  if (embedded && type !== "object") {
    const detail = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === undefined ? requiredValue(here, detail) : invalidValue(here, type, detail));
  } else if (type === undefined && !isIntOrString(schema) && !preservesUnknown(schema)) {
    errors.push(requiredValue(here, MISSING_TYPE[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    const detail = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbiddenField(path.child("additionalProperties"), detail));
  }
  if (level === "root" && type !== undefined && type !== "object") {
    errors.push(invalidValue(here, type, "must be object at the root"));
  }
}

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: "must not be empty at the root",
  item: "must not be empty for specified array items",
  field: "must not be empty for specified object fields",
};

function checkMeta(schema: JsonSchema, level: Level, path: FieldPath, errors: FieldError[]): void {
  const isResource = level === "root" || isEmbedded(schema);
  const properties = path.child("properties");
  for (const [name, property] of propertiesOf(schema)) {
    if (name !== "kind" && name !== "apiVersion" && name !== "metadata") continue;
    const type = name === "metadata" ? "object" : "string";
    if (isResource && property.type !== type) {
      errors.push(invalidValue(properties.key(name).child("type"), property.type ?? "", `must be ${type}`));
    }
    if (name === "metadata" && level === "root" && !isPlainMetadata(property)) {
      const detail = "must not specify anything other than name and generateName, but metadata is implicitly specified";
      errors.push(forbiddenField(properties.key(name), detail));
    }
  }
  if (isEmbedded(schema) && !preservesUnknown(schema) && propertiesOf(schema).length === 0) {
    const detail =
      "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields";
    errors.push(requiredValue(properties, detail));
  }
}

/** Whether a schema has nothing but a type, a default (which is forbidden elsewhere) and the properties name and generateName. */
function isPlainMetadata(schema: JsonSchema): boolean {
  const names = propertiesOf(schema).map(([name]) => name);
  const known = names.every((name) => name === "name" || name === "generateName");
  return known && Object.keys(schema).every((key) => key === "type" || key === "default" || key === "properties");
}

type IntOrStringForm = "anyOf" | "allOf";

const INT_OR_STRING: readonly JsonSchema[] = [{ type: "integer" }, { type: "string" }];

/** The two spellings of int-or-string that may name types inside a junctor; a schema may have both. */
function intOrStringForms({ anyOf, allOf }: JsonSchema): IntOrStringForm[] {
  const forms: IntOrStringForm[] = [];
  if (isIntOrStringChoice(anyOf)) forms.push("anyOf");
  if (isIntOrStringChoice(allOf?.[0]?.anyOf)) forms.push("allOf");
  return forms;
}

const isIntOrStringChoice = (choices: readonly JsonSchema[] | undefined): boolean =>
  choices !== undefined && deepEqual(choices, INT_OR_STRING);

function checkPattern({ pattern }: JsonSchema, path: FieldPath, errors: FieldError[]): void {
  if (pattern === undefined) return;
  const regex = compileRegex(pattern);
  if (!isError(regex)) return;
  const detail = `must be a valid regular expression, but isn't: ${regex.message}`;
  errors.push(invalidValue(path.child("pattern"), pattern, detail));
}

function checkJunctors(
  schema: JsonSchema,
  path: FieldPath,
  errors: FieldError[],
  forms: readonly IntOrStringForm[] = [],
): void {
  if (!forms.includes("anyOf")) {
    schema.anyOf?.forEach((jsonSchema, i) => void checkNested(jsonSchema, path.child("anyOf").index(i), errors));
  }
  schema.allOf?.forEach((jsonSchema, i) => {
    const inside: readonly IntOrStringForm[] = forms.includes("allOf") && i === 0 ? ["anyOf"] : [];
    checkNested(jsonSchema, path.child("allOf").index(i), errors, inside);
  });
  schema.oneOf?.forEach((jsonSchema, i) => void checkNested(jsonSchema, path.child("oneOf").index(i), errors));
  if (schema.not) checkNested(schema.not, path.child("not"), errors);
}

// biome-ignore format: one keyword per line
const FORBIDDEN_NESTED: readonly (readonly [keyof JsonSchema, "empty" | "undefined" | "false"])[] = [
  ["type", "empty"],
  ["additionalProperties", "undefined"],
  ["default", "undefined"],
  ["title", "empty"],
  ["description", "empty"],
  ["nullable", "false"],
  ["x-kubernetes-preserve-unknown-fields", "false"],
  ["x-kubernetes-embedded-resource", "false"],
  ["x-kubernetes-int-or-string", "false"],
  ["x-kubernetes-list-map-keys", "empty"],
  ["x-kubernetes-list-type", "undefined"],
  ["x-kubernetes-map-type", "undefined"],
  ["x-kubernetes-validations", "empty"],
];

/** A schema below a junctor may only restrict values. */
function checkNested(
  schema: JsonSchema,
  path: FieldPath,
  errors: FieldError[],
  forms?: readonly IntOrStringForm[],
): void {
  checkJunctors(schema, path, errors, forms);
  checkPattern(schema, path, errors);
  if (schema.items) checkNested(schema.items, path.child("items"), errors);
  for (const [name, property] of propertiesOf(schema)) {
    const here = path.child("properties").key(name);
    checkNested(property, here, errors);
    if (name === "metadata") errors.push(forbiddenField(here, "must not be specified in a nested context"));
  }
  for (const [keyword, state] of FORBIDDEN_NESTED) {
    const value = schema[keyword];
    if (value === undefined || (keyword === "additionalProperties" && value === false)) continue;
    errors.push(forbiddenField(path.child(keyword), `must be ${state} to be structural`));
  }
}

/** A field that a junctor of the root restricts must be declared outside of it. Other junctors are not checked. */
function checkJunctorCompleteness(
  restricting: JsonSchema,
  declared: JsonSchema,
  declaredPath: FieldPath,
  path: FieldPath,
  errors: FieldError[],
): void {
  const nested = (schema: JsonSchema, at: FieldPath): void =>
    checkCompleteness(schema, declared, declaredPath, at, errors);
  if (restricting.not) nested(restricting.not, path.child("not"));
  restricting.allOf?.forEach((schema, i) => void nested(schema, path.child("allOf").index(i)));
  restricting.anyOf?.forEach((schema, i) => void nested(schema, path.child("anyOf").index(i)));
  restricting.oneOf?.forEach((schema, i) => void nested(schema, path.child("oneOf").index(i)));
}

function checkCompleteness(
  restricting: JsonSchema,
  declared: JsonSchema | undefined,
  declaredPath: FieldPath,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (declared === undefined) {
    errors.push(requiredValue(declaredPath, `because it is defined in ${path}`));
    return;
  }
  checkJunctorCompleteness(restricting, declared, declaredPath, path, errors);
  if (restricting.items) {
    checkCompleteness(restricting.items, declared.items, declaredPath.child("items"), path.child("items"), errors);
  }
  for (const [name, property] of propertiesOf(restricting)) {
    const there = declaredPath.child("properties").key(name);
    const here = path.child("properties").key(name);
    const counterpart = propertiesOf(declared).find(([key]) => key === name)?.[1];
    checkCompleteness(property, counterpart, there, here, errors);
  }
}
