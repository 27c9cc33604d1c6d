// Admission of definitions and of custom resources, from what a client sends to the object that would be stored or the Status
// it is refused with. Nothing is stored here and no clock is read: names, uids and resource versions are the host's.

import { deepEqual, type JsonObject, quoteGo } from "@celadon/base";
import { type FieldError, gvkOf, invalidObject, nameOf, type Status } from "@celadon/kube";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { cannotBeHandled, readDefinition, schemasOf } from "./definition/read-definition.ts";
import {
  type ValidateDefinitionOptions,
  validateDefinition,
  validateDefinitionUpdate,
} from "./definition/validate-definition.ts";
import { type FieldValidation, strictError, unreadable } from "./object/decode.ts";
import { finalizerWarnings } from "./object/metadata-warnings.ts";
import { prepareCreate, prepareDefinition, prepareStatusUpdate, prepareUpdate } from "./prepare.ts";
import type { Findings, ResourceVersion, ValidateOptions } from "./resource.ts";
import { someSchema } from "./schema/json-schema.ts";
import { knownFormat } from "./value/string-formats.ts";

export type Admitted<T> =
  | { readonly allowed: true; readonly object: T; readonly warnings: readonly string[] }
  | { readonly allowed: false; readonly status: Status; readonly warnings: readonly string[] };

export interface AdmitOptions extends ValidateDefinitionOptions, ValidateOptions {
  readonly fieldValidation?: FieldValidation;
}

const DEFINITION_KIND = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** A definition that is created, or replaces `old`. */
export function admitDefinition(
  object: unknown,
  old: CustomResourceDefinition | undefined,
  options: AdmitOptions = {},
): Admitted<CustomResourceDefinition> {
  const read = readDefinition(object);
  if ("code" in read || !("definition" in read)) return refused(read as Status);
  const { fieldValidation = "Warn" } = options;
  if (fieldValidation === "Strict" && read.unknown.length > 0) {
    const fields = read.unknown.map((path) => `unknown field ${quoteGo(path)}`).join(", ");
    return refused(cannotBeHandled(`strict decoding error: ${fields}`));
  }
  const warnings = fieldValidation === "Warn" ? read.unknown.map((path) => `unknown field ${quoteGo(path)}`) : [];
  const definition = prepareDefinition(read.definition, old);
  const errors =
    old === undefined ? validateDefinition(definition, options) : validateDefinitionUpdate(definition, old, options);
  if (errors.length > 0) return refused(invalidObject(DEFINITION_KIND, nameOf(definition), errors), warnings);
  return { allowed: true, object: definition, warnings: [...warnings, ...definitionWarnings(definition, old)] };
}

function refused<T>(status: Status, warnings: readonly string[] = []): Admitted<T> {
  return { allowed: false, status, warnings };
}

/** Warnings about formats that nobody checks, where they are new. */
export function definitionWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): string[] {
  const before = new Set(old === undefined ? [] : unknownFormats(old));
  return unknownFormats(definition)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${quoteGo(format)}`);
}

function unknownFormats({ spec }: CustomResourceDefinition): string[] {
  const found: string[] = [];
  const [first, ...others] = schemasOf(spec);
  // What all versions share is looked at once.
  const schemas = first !== undefined && others.every((one) => deepEqual(one, first)) ? [first] : [first, ...others];
  for (const schema of schemas) {
    if (schema === undefined) continue;
    someSchema(schema, ({ type, format }) => {
      if (format !== undefined && !knownFormat(type, format)) found.push(format);
      return false;
    });
  }
  return found;
}

/** A custom resource that is created. */
export function admitCreate(
  version: ResourceVersion,
  given: unknown,
  options: AdmitOptions = {},
): Admitted<JsonObject> {
  return admit(version, given, options, (decoded) => {
    const object = prepareCreate(version, decoded);
    return [object, version.validateCreate(object, observing(options)), undefined];
  });
}

/** A custom resource that replaces `old`, which is as a store holds it, in any version. */
export function admitUpdate(
  version: ResourceVersion,
  given: unknown,
  old: JsonObject,
  options: AdmitOptions = {},
): Admitted<JsonObject> {
  const wrong = unreadable(old, { kind: version.type.kind, version: version.name });
  if (wrong) return refused(wrong);
  const before = version.read(old);
  return admit(version, given, options, (decoded) => {
    const object = prepareUpdate(version, decoded, before);
    return [object, version.validateUpdate(object, before, observing(options)), before];
  });
}

/** An update of the status endpoint: everything but status is the old object's. */
export function admitStatusUpdate(
  version: ResourceVersion,
  given: unknown,
  old: JsonObject,
  options: AdmitOptions = {},
): Admitted<JsonObject> {
  const wrong = unreadable(old, { kind: version.type.kind, version: version.name });
  if (wrong) return refused(wrong);
  const before = version.read(old);
  return admit(version, given, options, (decoded) => {
    const object = prepareStatusUpdate(decoded, before);
    return [object, version.validateStatusUpdate(object, before, observing(options)), object];
  });
}

const observing = ({ observer }: AdmitOptions): ValidateOptions => (observer === undefined ? {} : { observer });

/** The Status of an object that is not valid; it is named by the kind the object says it is. */
export function invalidResource(object: JsonObject, errors: readonly FieldError[]): Status {
  return invalidObject(gvkOf(object), nameOf(object), errors);
}

function admit(
  version: ResourceVersion,
  given: unknown,
  { fieldValidation = "Warn" }: AdmitOptions,
  validate: (decoded: JsonObject) => readonly [JsonObject, Findings, JsonObject | undefined],
): Admitted<JsonObject> {
  const warnings = version.deprecation === undefined ? [] : [version.deprecation];
  const decoded = version.decode(given as JsonObject);
  if (!("unknown" in decoded)) return refused(decoded, warnings);
  if (fieldValidation === "Strict" && decoded.unknown.length > 0) {
    return refused(strictError(version.type.kind, version.name, decoded.unknown), warnings);
  }
  if (fieldValidation === "Warn") warnings.push(...decoded.unknown.map((path) => `unknown field ${quoteGo(path)}`));
  const [object, findings, before] = validate(decoded.object);
  warnings.push(...findings.warnings);
  if (findings.errors.length > 0) return refused(invalidResource(object, findings.errors), warnings);
  warnings.push(...finalizerWarnings(object, before));
  return { allowed: true, object, warnings };
}
