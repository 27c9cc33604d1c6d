// CustomResourceDefinition (apiextensions.k8s.io/v1) as typed data, and the tables that decode it.

import type { ObjectMeta } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";
import { type Struct, structOf } from "../decode.ts";
import type { ScaleSubresource } from "../object/scale.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { SCHEMA } from "../schema/read-schema.ts";

/** The resource as apiextensions.k8s.io/v1 has it. */
export interface CustomResourceDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: DefinitionSpec;
  readonly status?: DefinitionStatus;
}

/** The names, scope and versions of a definition. */
export interface DefinitionSpec {
  readonly group?: string;
  readonly names: DefinitionNames;
  readonly scope?: string;
  readonly versions?: readonly DefinitionVersion[];
  readonly conversion?: Conversion;
  readonly preserveUnknownFields?: boolean;
}

/** The names of a definition's resources. */
export interface DefinitionNames {
  readonly plural?: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly kind?: string;
  readonly listKind?: string;
  readonly categories?: readonly string[];
}

/** One version of a definition, with its schema. */
export interface DefinitionVersion {
  readonly name?: string;
  readonly served?: boolean;
  readonly storage?: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: Subresources;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly selectableFields?: readonly SelectableField[];
}

/** The subresources of a version: status and scale. */
export interface Subresources {
  readonly status?: Readonly<Record<string, never>>;
  readonly scale?: ScaleSubresource;
}

/** A column that kubectl shows. */
export interface PrinterColumn {
  readonly name?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath?: string;
}

/** A field that field selectors may name. */
export interface SelectableField {
  readonly jsonPath?: string;
}

/** The conversion of objects between the versions of a definition. */
export interface Conversion {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: WebhookClientConfig;
    readonly conversionReviewVersions?: readonly string[];
  };
}

/** The address of a webhook. */
export interface WebhookClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace?: string;
    readonly name?: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly caBundle?: string;
}

/** The status that the API server writes. */
export interface DefinitionStatus {
  readonly conditions?: readonly DefinitionCondition[] | null;
  readonly acceptedNames?: DefinitionNames;
  readonly storedVersions?: readonly string[];
  readonly observedGeneration?: number;
}

/** A condition of a definition's status. */
export interface DefinitionCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

/** Field errors in the order the API server gives them. */
export type Problems = FieldError[];

// biome-ignore format: one field per line
const COLUMN: Struct = structOf("CustomResourceColumnDefinition", [
  ["name",        "Name",        "string"],
  ["type",        "Type",        "string"],
  ["format",      "Format",      "string"],
  ["description", "Description", "string"],
  ["priority",    "Priority",    "int"],
  ["jsonPath",    "JSONPath",    "string"],
]);

const SELECTABLE: Struct = structOf("SelectableField", [["jsonPath", "JSONPath", "string"]]);

const SCALE: Struct = structOf("CustomResourceSubresourceScale", [
  ["specReplicasPath", "SpecReplicasPath", "string"],
  ["statusReplicasPath", "StatusReplicasPath", "string"],
  ["labelSelectorPath", "LabelSelectorPath", "string?"],
]);

const SUBRESOURCES: Struct = structOf("CustomResourceSubresources", [
  ["status", "Status", { struct: () => structOf("CustomResourceSubresourceStatus", []) }],
  ["scale", "Scale", { struct: () => SCALE }],
]);

const VALIDATION: Struct = structOf("CustomResourceValidation", [
  ["openAPIV3Schema", "OpenAPIV3Schema", { struct: () => SCHEMA }],
]);

// biome-ignore format: one field per line
export const VERSION: Struct = structOf("CustomResourceDefinitionVersion", [
  ["name",                     "Name",                     "string"],
  ["served",                   "Served",                   "bool!"],
  ["storage",                  "Storage",                  "bool!"],
  ["deprecated",               "Deprecated",               "bool"],
  ["deprecationWarning",       "DeprecationWarning",       "string?"],
  ["schema",                   "Schema",                   { struct: () => VALIDATION }],
  ["subresources",             "Subresources",             { struct: () => SUBRESOURCES }],
  ["additionalPrinterColumns", "AdditionalPrinterColumns", { structs: () => COLUMN }],
  ["selectableFields",         "SelectableFields",         { structs: () => SELECTABLE }],
]);

// biome-ignore format: one field per line
const NAMES: Struct = structOf("CustomResourceDefinitionNames", [
  ["plural",     "Plural",     "string"],
  ["singular",   "Singular",   "string"],
  ["shortNames", "ShortNames", "string[]"],
  ["kind",       "Kind",       "string"],
  ["listKind",   "ListKind",   "string"],
  ["categories", "Categories", "string[]"],
]);

const SERVICE: Struct = structOf("ServiceReference", [
  ["namespace", "Namespace", "string"],
  ["name", "Name", "string"],
  ["path", "Path", "string?"],
  ["port", "Port", "int?"],
]);

const CLIENT_CONFIG: Struct = structOf("WebhookClientConfig", [
  ["url", "URL", "string?"],
  ["service", "Service", { struct: () => SERVICE }],
  ["caBundle", "CABundle", "bytes"],
]);

const WEBHOOK: Struct = structOf("WebhookConversion", [
  ["clientConfig", "ClientConfig", { struct: () => CLIENT_CONFIG }],
  ["conversionReviewVersions", "ConversionReviewVersions", "string[]"],
]);

const CONVERSION: Struct = structOf("CustomResourceConversion", [
  ["strategy", "Strategy", "string"],
  ["webhook", "Webhook", { struct: () => WEBHOOK }],
]);

// biome-ignore format: one field per line
const SPEC: Struct = structOf("CustomResourceDefinitionSpec", [
  ["group",                 "Group",                 "string"],
  ["names",                 "Names",                 { struct: () => NAMES }],
  ["scope",                 "Scope",                 "string"],
  ["versions",              "Versions",              { structs: () => VERSION }],
  ["conversion",            "Conversion",            { struct: () => CONVERSION }],
  ["preserveUnknownFields", "PreserveUnknownFields", "bool"],
]);

// biome-ignore format: one field per line
const CONDITION: Struct = structOf("CustomResourceDefinitionCondition", [
  ["type",               "Type",               "string"],
  ["status",             "Status",             "string"],
  ["lastTransitionTime", "LastTransitionTime", "json?"],
  ["reason",             "Reason",             "string"],
  ["message",            "Message",            "string"],
  ["observedGeneration", "ObservedGeneration", "int"],
]);

const STATUS: Struct = structOf("CustomResourceDefinitionStatus", [
  ["conditions", "Conditions", { structs: () => CONDITION }],
  ["acceptedNames", "AcceptedNames", { struct: () => NAMES }],
  ["storedVersions", "StoredVersions", "string[]"],
  ["observedGeneration", "ObservedGeneration", "int"],
]);

export const DEFINITION: Struct = structOf("CustomResourceDefinition", [
  ["apiVersion", "APIVersion", "string"],
  ["kind", "Kind", "string"],
  ["metadata", "ObjectMeta", "json?"],
  ["spec", "Spec", { struct: () => SPEC }],
  ["status", "Status", { struct: () => STATUS }],
]);
