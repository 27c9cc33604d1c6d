// Admission of definitions and of custom resources as a whole, from a client's body to the object that would be stored, or to the Status of
// a refusal. Hosts with steps of their own in between use write.ts.

import { deepEqual, type JsonObject, type JsonPath, quoteGo } from "@celadon/base";
import { type AcceptedResource, nameOf, unknownFieldText } from "@celadon/kube";
import { type FieldError, FieldPath, fieldErrorText, type Warning } from "@celadon/kube/errors";
import { invalidObject, type Status } from "@celadon/kube/status";
import { type Emulation, emulationOf, type Minor } from "@celadon/kube/versions";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { cannotBeHandled, readDefinition, schemasOf } from "./definition/read-definition.ts";
import {
  type ValidateDefinitionOptions,
  validateDefinition,
  validateDefinitionUpdate,
} from "./definition/validate-definition.ts";
import { type FieldValidation, unreadable } from "./object/decode.ts";
import { prepareDefinition } from "./prepare.ts";
import type { ResourceVersion, ValidateObjectOptions } from "./resource.ts";
import { type JsonSchema, someSchema } from "./schema/json-schema.ts";
import { knownFormat } from "./value/string-formats.ts";
import { decodeWrite, finishWrite, strictStatus, type Write } from "./write.ts";

/** The object as it would be stored, or the Status that rejects the request. */
export type Admitted<T> = {
  /** The fields that the schema does not have. */
  readonly unknownFields: readonly FieldPath[];
  readonly warnings: readonly string[];
} & (
  | { readonly allowed: true; readonly object: T }
  | {
      readonly allowed: false;
      readonly status: Status;
      /** The problems of the object, field by field; none where it could not be decoded. */
      readonly errors: readonly FieldError[];
    }
);

/** Options for admitting a definition or an object. */
export interface AcceptObjectOptions extends ValidateDefinitionOptions, ValidateObjectOptions {
  readonly fieldValidation?: FieldValidation;
}

const DEFINITION_KIND = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** A definition that is created, or replaces `old`, as an API server takes it. */
export function acceptDefinition(
  object: unknown,
  old: CustomResourceDefinition | undefined,
  options: ValidateDefinitionOptions = {},
): AcceptedResource<CustomResourceDefinition> {
  const read = readDefinition(object);
  if (!("definition" in read)) {
    const { status, at } = read;
    return { status, errors: [], unreadable: at, unknownFields: [], warnings: [] };
  }
  const resource = prepareDefinition(read.definition, old);
  const errors =
    old === undefined ? validateDefinition(resource, options) : validateDefinitionUpdate(resource, old, options);
  const warnings = errors.length > 0 ? [] : definitionWarnings(resource, old, options.kubeVersion);
  const found = { resource, errors, unknownFields: read.unknown, warnings };
  return errors.length === 0 ? found : { ...found, status: invalidObject(DEFINITION_KIND, nameOf(resource), errors) };
}

const textOf = ({ text }: Warning): string => text;

/** The same as a client of the API gets it. */
export function admitDefinition(
  object: unknown,
  old: CustomResourceDefinition | undefined,
  options: AcceptObjectOptions = {},
): Admitted<CustomResourceDefinition> {
  const { resource, status, errors, unknownFields, warnings } = acceptDefinition(object, old, options);
  const { fieldValidation = "Warn" } = options;
  const unknown = unknownFields.map(unknownFieldText);
  if (resource !== undefined && fieldValidation === "Strict" && unknown.length > 0) {
    const strict = cannotBeHandled(`strict decoding error: ${unknown.join(", ")}`);
    return { allowed: false, status: strict, errors: [], unknownFields, warnings: [] };
  }
  const unknownWarnings = fieldValidation === "Warn" ? unknown : [];
  if (resource === undefined || status !== undefined) {
    return { allowed: false, status: status!, errors, unknownFields, warnings: unknownWarnings };
  }
  return { allowed: true, object: resource, unknownFields, warnings: [...unknownWarnings, ...warnings.map(textOf)] };
}

/** Since then a server warns about formats that it does not know. */
const WARNED_SINCE = 34;

/** Warnings about new formats that are not validated. */
export function definitionWarnings(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  kubeVersion?: Minor,
): Warning[] {
  const by = emulationOf(kubeVersion);
  if (by.before(WARNED_SINCE)) return [];
  const before = new Set(old === undefined ? [] : unknownFormats(old, by).map(({ format }) => format));
  return unknownFormats(definition, by)
    .filter(({ format }) => !before.has(format))
    .slice(0, MAX_WARNED_FORMATS)
    .map(({ format, schema }) => ({
      text: `unrecognized format ${quoteGo(format)}`,
      path: FieldPath.of([...(stepsTo(definition, schema) ?? []), "format"], "format"),
    }));
}

/** Each is looked for in the whole definition, and a server sends no more than a few dozen. */
const MAX_WARNED_FORMATS = 200;

interface UnknownFormat {
  readonly format: string;
  readonly schema: JsonSchema;
}

function unknownFormats({ spec }: CustomResourceDefinition, by: Emulation): UnknownFormat[] {
  const found: UnknownFormat[] = [];
  const [first, ...others] = schemasOf(spec);
  // A schema that all versions share is checked once.
  const schemas =
    first !== undefined && others.every((other) => deepEqual(other, first)) ? [first] : [first, ...others];
  for (const schema of schemas) {
    if (schema === undefined) continue;
    someSchema(schema, (part) => {
      const { type, format } = part;
      if (format !== undefined && !knownFormat(type, format, by)) found.push({ format, schema: part });
      return false;
    });
  }
  return found;
}

/** The steps from a value to a part of it. Only for parts that are warned about: it looks everywhere. */
function stepsTo(value: unknown, part: object): JsonPath | undefined {
  if (value === part) return [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const steps = stepsTo(member, part);
    if (steps !== undefined) return [Array.isArray(value) ? Number(name) : name, ...steps];
  }
  return undefined;
}

/** A custom resource that is created. */
export function admitCreate(
  version: ResourceVersion,
  given: unknown,
  options: AcceptObjectOptions = {},
): Admitted<JsonObject> {
  return admit({ version }, given, options);
}

/** A custom resource that replaces `old`, which is as a store holds it, in any version. */
export function admitUpdate(
  version: ResourceVersion,
  given: unknown,
  old: JsonObject,
  options: AcceptObjectOptions = {},
): Admitted<JsonObject> {
  return admitOver(version, given, old, undefined, options);
}

/** An update of the status endpoint: everything but status is the old object's. */
export function admitStatusUpdate(
  version: ResourceVersion,
  given: unknown,
  old: JsonObject,
  options: AcceptObjectOptions = {},
): Admitted<JsonObject> {
  return admitOver(version, given, old, "status", options);
}

function admitOver(
  version: ResourceVersion,
  given: unknown,
  old: JsonObject,
  subresource: "status" | undefined,
  options: AcceptObjectOptions,
): Admitted<JsonObject> {
  const wrong = unreadable(old, { kind: version.type.kind, version: version.name });
  if (wrong) return { allowed: false, status: wrong, errors: [], unknownFields: [], warnings: [] };
  return admit({ version, old: version.read(old), subresource }, given, options);
}

function admit(write: Write, given: unknown, options: AcceptObjectOptions): Admitted<JsonObject> {
  const { fieldValidation = "Warn", observer } = options;
  const decoded = decodeWrite(write, given);
  const { object, unknownFields } = decoded;
  const refusal = decoded.status ?? (fieldValidation === "Strict" ? strictStatus(write, decoded) : undefined);
  if (refusal !== undefined || object === undefined) {
    return { allowed: false, status: refusal!, errors: [], unknownFields, warnings: decoded.warnings.map(textOf) };
  }
  const unknownWarnings = fieldValidation === "Warn" ? unknownFields.map(unknownFieldText) : [];
  const finished = finishWrite(write, object, observer && { observer });
  const warnings = [
    ...decoded.warnings.map(textOf),
    ...unknownWarnings,
    ...finished.ratcheted.map(fieldErrorText),
    ...finished.warnings.map(textOf),
  ];
  const { status, errors } = finished;
  if (status !== undefined) return { allowed: false, status, errors, unknownFields, warnings };
  return { allowed: true, object: finished.object, unknownFields, warnings };
}
