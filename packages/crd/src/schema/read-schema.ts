// Reading a JSON schema out of a CustomResourceDefinition: the table of its keywords, with the names and the order Go holds
// them in, because some errors print the whole schema that way.

import { isRecord, type JsonObject, setOwn } from "@celadon/base";
import { type CustomKind, goJson, Rendered, type Struct, structOf } from "../decode.ts";
import type { JsonSchema, ValidationRule } from "./json-schema.ts";

const schema = { struct: (): Struct => SCHEMA };
const schemas = { structs: (): Struct => SCHEMA };
const schemaMap = { map: (): Struct => SCHEMA };

const items: CustomKind = {
  decode(value, decoding, path) {
    if (Array.isArray(value)) {
      return [["itemsList", decoding.silently(() => value.map((item) => decoding.struct(item, SCHEMA, path)))]];
    }
    return [["items", decoding.silently(() => decoding.struct(value, SCHEMA, path))]];
  },
  toGo(owner) {
    if (owner.items === undefined && owner.itemsList === undefined) return null;
    const text = goJson(owner.items as JsonObject | undefined, SCHEMA);
    const list = owner.itemsList as JsonObject[] | undefined;
    const many = list === undefined ? "null" : `[${list.map((entry) => goJson(entry, SCHEMA)).join(",")}]`;
    return new Rendered(`{"Schema":${text},"JSONSchemas":${many}}`);
  },
};

function schemaOrBool(name: string): CustomKind {
  return {
    decode(value, decoding, path) {
      if (typeof value === "boolean") return [[name, value]];
      return [[name, decoding.silently(() => decoding.struct(value, SCHEMA, path))]];
    },
    toGo(owner) {
      const value = owner[name] as boolean | JsonObject | undefined;
      if (value === undefined) return null;
      if (typeof value === "boolean") return new Rendered(`{"Allows":${value},"Schema":null}`);
      return new Rendered(`{"Allows":true,"Schema":${goJson(value, SCHEMA)}}`);
    },
  };
}

const dependencies: CustomKind = {
  decode(value, decoding, path) {
    if (!isRecord(value)) return [];
    const result: JsonObject = {};
    for (const key of Object.keys(value)) {
      const item = value[key];
      const decoded = Array.isArray(item) ? item : decoding.silently(() => decoding.struct(item, SCHEMA, path));
      setOwn(result, key, decoded);
    }
    return [["dependencies", result]];
  },
  toGo(owner) {
    const value = owner.dependencies as Record<string, JsonObject | string[]> | undefined;
    if (value === undefined) return null;
    const shown = Object.keys(value)
      .sort()
      .map((key) => {
        const item = value[key]!;
        const isList = Array.isArray(item);
        const schemaText = isList ? "null" : goJson(item, SCHEMA);
        return `${JSON.stringify(key)}:{"Schema":${schemaText},"Property":${isList ? JSON.stringify(item) : "null"}}`;
      });
    return new Rendered(`{${shown.join(",")}}`);
  },
};

// biome-ignore format: one field per line
const RULE: Struct = structOf("ValidationRule", [
  ["rule",              "Rule",              "string"],
  ["message",           "Message",           "string"],
  ["messageExpression", "MessageExpression", "string"],
  ["reason",            "Reason",            "string?"],
  ["fieldPath",         "FieldPath",         "string"],
  ["optionalOldSelf",   "OptionalOldSelf",   "bool?"],
]);

const DOCS: Struct = structOf("ExternalDocumentation", [
  ["description", "Description", "string"],
  ["url", "URL", "string"],
]);

// biome-ignore format: one field per line
export const SCHEMA: Struct = structOf("JSONSchemaProps", [
  ["id",                   "ID",                   "string"],
  ["$schema",              "Schema",               "string"],
  ["$ref",                 "Ref",                  "string?"],
  ["description",          "Description",          "string"],
  ["type",                 "Type",                 "string"],
  ["nullable",             "Nullable",             "bool"],
  ["format",               "Format",               "string"],
  ["title",                "Title",                "string"],
  ["default",              "Default",              "json?"],
  ["maximum",              "Maximum",              "number?"],
  ["exclusiveMaximum",     "ExclusiveMaximum",     "bool"],
  ["minimum",              "Minimum",              "number?"],
  ["exclusiveMinimum",     "ExclusiveMinimum",     "bool"],
  ["maxLength",            "MaxLength",            "int?"],
  ["minLength",            "MinLength",            "int?"],
  ["pattern",              "Pattern",              "string"],
  ["maxItems",             "MaxItems",             "int?"],
  ["minItems",             "MinItems",             "int?"],
  ["uniqueItems",          "UniqueItems",          "bool"],
  ["multipleOf",           "MultipleOf",           "number?"],
  ["enum",                 "Enum",                 "json[]"],
  ["maxProperties",        "MaxProperties",        "int?"],
  ["minProperties",        "MinProperties",        "int?"],
  ["required",             "Required",             "string[]"],
  ["items",                "Items",                { custom: items }],
  ["allOf",                "AllOf",                schemas],
  ["oneOf",                "OneOf",                schemas],
  ["anyOf",                "AnyOf",                schemas],
  ["not",                  "Not",                  schema],
  ["properties",           "Properties",           schemaMap],
  ["additionalProperties", "AdditionalProperties", { custom: schemaOrBool("additionalProperties") }],
  ["patternProperties",    "PatternProperties",    schemaMap],
  ["dependencies",         "Dependencies",         { custom: dependencies }],
  ["additionalItems",      "AdditionalItems",      { custom: schemaOrBool("additionalItems") }],
  ["definitions",          "Definitions",          schemaMap],
  ["externalDocs",         "ExternalDocs",         { struct: () => DOCS }],
  ["example",              "Example",              "json?"],
  ["x-kubernetes-preserve-unknown-fields", "XPreserveUnknownFields", "bool?"],
  ["x-kubernetes-embedded-resource",       "XEmbeddedResource",      "bool"],
  ["x-kubernetes-int-or-string",           "XIntOrString",           "bool"],
  ["x-kubernetes-list-map-keys",           "XListMapKeys",           "string[]"],
  ["x-kubernetes-list-type",               "XListType",              "string?"],
  ["x-kubernetes-map-type",                "XMapType",               "string?"],
  ["x-kubernetes-validations",             "XValidations",           { structs: () => RULE }],
]);

export function ruleAsGo(rule: ValidationRule): string {
  return goJson(rule as unknown as JsonObject, RULE);
}

export function schemaAsGo(schemaValue: JsonSchema): string {
  return goJson(schemaValue as JsonObject, SCHEMA);
}
