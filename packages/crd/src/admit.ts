// Admission of definitions and of custom resources, from what a client sends to the object that would be stored or the Status
// it is refused with. Nothing is stored here and no clock is read: names, uids and resource versions are the host's.

import { invalidObject, nameOf, quoteGo, type Status } from "@celadon/kube";
import type { CustomResourceDefinition } from "./definition/definition.ts";
import { cannotBeHandled, readDefinition, schemasOf } from "./definition/read-definition.ts";
import { type DefinitionObserver, validateDefinition, validateDefinitionUpdate } from "./definition/validate-definition.ts";
import { type FieldValidation, strictError } from "./object/decode.ts";
import { finalizerWarnings } from "./object/metadata-warnings.ts";
import type { Findings, ResourceVersion } from "./resource.ts";
import { someSchema } from "./schema/json-schema.ts";
import { deepEqual, isObject, type JsonObject, own } from "./value/json.ts";
import { knownFormat } from "./value/string-formats.ts";

export type Admitted<T> =
  | { readonly allowed: true; readonly object: T; readonly warnings: readonly string[] }
  | { readonly allowed: false; readonly status: Status; readonly warnings: readonly string[] };

export interface AdmitOptions extends DefinitionObserver {
  readonly fieldValidation?: FieldValidation;
}

const DEFINITION_KIND = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };

/** A definition that is created, or replaces `old`. */
export function admitDefinition(
  object: unknown, old: CustomResourceDefinition | undefined, options: AdmitOptions = {},
): Admitted<CustomResourceDefinition> {
  const read = readDefinition(object);
  if ("code" in read || !("definition" in read)) return refused(read as Status);
  const { fieldValidation = "Warn" } = options;
  if (fieldValidation === "Strict" && read.unknown.length > 0) {
    const fields = read.unknown.map((path) => `unknown field ${quoteGo(path)}`).join(", ");
    return refused(cannotBeHandled(`strict decoding error: ${fields}`));
  }
  const warnings = fieldValidation === "Warn" ? read.unknown.map((path) => `unknown field ${quoteGo(path)}`) : [];
  const definition = old === undefined ? forCreate(read.definition) : forUpdate(read.definition, old);
  const errors = old === undefined ? validateDefinition(definition, options) : validateDefinitionUpdate(definition, old, options);
  if (errors.length > 0) return refused(invalidObject(DEFINITION_KIND, nameOf(definition), errors), warnings);
  return { allowed: true, object: definition, warnings: [...warnings, ...formatWarnings(definition, old)] };
}

function refused<T>(status: Status, warnings: readonly string[] = []): Admitted<T> {
  return { allowed: false, status, warnings };
}

function storageVersions(definition: CustomResourceDefinition, stored: readonly string[]): readonly string[] {
  const storage = definition.spec.versions?.find((version) => version.storage)?.name;
  return storage === undefined || stored.includes(storage) ? stored : [...stored, storage];
}

function forCreate(definition: CustomResourceDefinition): CustomResourceDefinition {
  const storedVersions = storageVersions(definition, []);
  return { ...definition, metadata: { ...definition.metadata, generation: 1 }, status: { storedVersions } };
}

function forUpdate(definition: CustomResourceDefinition, old: CustomResourceDefinition): CustomResourceDefinition {
  const before = old.metadata.generation ?? 0;
  const generation = deepEqual(definition.spec, old.spec) ? before : before + 1;
  const storedVersions = storageVersions(definition, old.status?.storedVersions ?? []);
  const metadata = { ...inherited(definition.metadata as JsonObject, old.metadata as JsonObject), generation };
  return { ...definition, metadata, status: { ...old.status, storedVersions } };
}

function formatWarnings(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined): string[] {
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

/** What an update leaves out and the server fills in. */
function inherited(metadata: JsonObject, old: JsonObject): JsonObject {
  const filled: JsonObject = { ...metadata };
  for (const key of ["uid", "resourceVersion", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"]) {
    if (!filled[key] && old[key] !== undefined) filled[key] = old[key];
  }
  // Without a store there is no version to conflict with.
  filled["resourceVersion"] ??= "0";
  return filled;
}

/** A custom resource that is created. */
export function admitCreate(version: ResourceVersion, given: JsonObject, options: AdmitOptions = {}): Admitted<JsonObject> {
  return admit(version, given, options, (decoded) => {
    const object = { ...decoded };
    if (version.hasStatus) delete object["status"];
    object["metadata"] = { ...metadataOf(decoded), generation: 1 };
    return [object, version.validateCreate(object), undefined];
  });
}

/** A custom resource that replaces `old`, which is as a store holds it, in any version. */
export function admitUpdate(version: ResourceVersion, given: JsonObject, old: JsonObject, options: AdmitOptions = {}): Admitted<JsonObject> {
  const before = version.read(old);
  return admit(version, given, options, (decoded) => {
    const object = { ...decoded };
    if (version.hasStatus) {
      if (Object.hasOwn(before, "status")) object["status"] = before["status"];
      else delete object["status"];
    }
    const metadata = inherited(metadataOf(decoded), metadataOf(before));
    const generation = Number(metadataOf(before)["generation"] ?? 0);
    metadata["generation"] = sameBesideMetadata(object, before) ? generation : generation + 1;
    object["metadata"] = metadata;
    return [object, version.validateUpdate(object, before), before];
  });
}

/** An update of the status endpoint: everything but status is the old object's. */
export function admitStatusUpdate(
  version: ResourceVersion, given: JsonObject, old: JsonObject, options: AdmitOptions = {},
): Admitted<JsonObject> {
  const before = version.read(old);
  return admit(version, given, options, (decoded) => {
    const object: JsonObject = { ...before, metadata: inherited(metadataOf(before), {}) };
    if (Object.hasOwn(decoded, "status")) object["status"] = decoded["status"];
    else delete object["status"];
    return [object, version.validateStatusUpdate(object, before), object];
  });
}

function admit(
  version: ResourceVersion, given: JsonObject, { fieldValidation = "Warn" }: AdmitOptions,
  validate: (decoded: JsonObject) => readonly [JsonObject, Findings, JsonObject | undefined],
): Admitted<JsonObject> {
  const decoded = version.decode(given);
  if (!("unknown" in decoded)) return refused(decoded);
  const { group, kind } = version.type;
  if (fieldValidation === "Strict" && decoded.unknown.length > 0) {
    return refused(strictError(kind, version.name, decoded.unknown));
  }
  const warnings = fieldValidation === "Warn" ? decoded.unknown.map((path) => `unknown field ${quoteGo(path)}`) : [];
  const [object, findings, before] = validate(decoded.object);
  warnings.push(...findings.warnings);
  if (findings.errors.length > 0) return refused(invalidObject({ group, kind }, nameOf(object), findings.errors), warnings);
  warnings.push(...finalizerWarnings(object, before));
  return { allowed: true, object, warnings };
}

function metadataOf(object: JsonObject): JsonObject {
  const metadata = own(object, "metadata");
  return isObject(metadata) ? metadata : {};
}

function sameBesideMetadata(a: JsonObject, b: JsonObject): boolean {
  return deepEqual({ ...a, metadata: undefined }, { ...b, metadata: undefined });
}
