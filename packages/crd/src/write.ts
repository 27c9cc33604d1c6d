// One write of a custom resource, in the API server's order: decoded, pruned and defaulted; then, after mutation, prepared and validated by
// schema and rules. Nothing is stored here and no clock is read: names, uids and resource versions come from the host.

import type { JsonObject } from "@celadon/base";
import { gvkOf, metadataOf, nameOf } from "@celadon/kube";
import { type FieldError, type FieldPath, fieldPath, type Warning } from "@celadon/kube/errors";
import { validateObjectMeta, validateObjectMetaUpdate } from "@celadon/kube/metadata";
import { checkPathSegmentName } from "@celadon/kube/names";
import { invalidObject, type Status } from "@celadon/kube/status";
import { strictError } from "./object/decode.ts";
import { finalizerWarnings } from "./object/metadata-warnings.ts";
import { prepareCreate, prepareStatusUpdate, prepareUpdate } from "./prepare.ts";
import type { Findings, ResourceVersion, ValidateObjectOptions } from "./resource.ts";

/** The resource and subresource that a request writes to. */
export interface Write {
  readonly version: ResourceVersion;
  /** The replaced object, as clients of the version read it; undefined on create. */
  readonly old?: JsonObject | undefined;
  /** `status` for that endpoint: everything else is then the old object's. */
  readonly subresource?: string | undefined;
}

/** The first half: a client's body, as the server holds it. */
export interface DecodedWrite {
  /** Absent when it cannot be decoded. */
  readonly object?: JsonObject;
  /** Then it has a status. */
  readonly status?: Status;
  /** The dropped fields that the version's schema does not have. A strict server refuses the write for them. */
  readonly unknownFields: readonly FieldPath[];
  /** The warning of a deprecated version. */
  readonly warnings: readonly Warning[];
}

const API_VERSION = fieldPath("apiVersion");

/** The first half of a write: the object is read, pruned and gets defaults. */
export function decodeWrite({ version }: Pick<Write, "version">, given: unknown): DecodedWrite {
  const warnings = version.deprecation === undefined ? [] : [{ text: version.deprecation, path: API_VERSION }];
  const decoded = version.decode(given as JsonObject);
  if (!("unknown" in decoded)) return { status: decoded, unknownFields: [], warnings };
  return { object: decoded.object, unknownFields: decoded.unknown, warnings };
}

/** The error for unknown fields if they are rejected. */
export function strictStatus({ version }: Pick<Write, "version">, { unknownFields }: DecodedWrite): Status | undefined {
  return unknownFields.length === 0 ? undefined : strictError(version.type.kind, version.name, unknownFields);
}

/** The second half of a write: the object as it would be stored, and its errors. */
export interface FinishedWrite {
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
  /** The status of the errors. */
  readonly status?: Status;
  /** Failures of rules that unchanged values may keep. */
  readonly ratcheted: readonly FieldError[];
  /** Other warnings. */
  readonly warnings: readonly Warning[];
}

/** The second half of a write: the server sets its fields, and the object is validated. */
export function finishWrite(write: Write, decoded: JsonObject, options: ValidateObjectOptions = {}): FinishedWrite {
  const object = prepareWrite(write, decoded);
  const { errors, status, ratcheted } = validateWrite(write, object, options);
  if (status !== undefined) return { object, errors, status, ratcheted, warnings: [] };
  return { object, errors, ratcheted, warnings: writeWarnings(write, object) };
}

/** Sets and resets fields as the server does, for hosts that do something between that and validation. */
export function prepareWrite({ version, old, subresource }: Write, decoded: JsonObject): JsonObject {
  if (old === undefined) return prepareCreate(version, decoded);
  return subresource === "status" ? prepareStatusUpdate(decoded, old) : prepareUpdate(version, decoded, old);
}

/** Errors of a prepared object. The message names the kind that the object has. */
export function validateWrite(
  write: Write,
  object: JsonObject,
  options: ValidateObjectOptions = {},
): Findings & { readonly status?: Status } {
  const findings = findingsOf(write, object, options);
  const { errors } = findings;
  return errors.length === 0 ? findings : { ...findings, status: invalidObject(gvkOf(object), nameOf(object), errors) };
}

function findingsOf(
  { version, old, subresource }: Write,
  object: JsonObject,
  options: ValidateObjectOptions,
): Findings {
  if (old === undefined) return version.validateCreate(object, options);
  const findings =
    subresource === "status"
      ? version.validateStatusUpdate(object, old, options)
      : version.validateUpdate(object, old, options);
  const errors = updatedMetadataErrors(object, old, version.type.namespaced);
  return errors.length === 0 ? findings : { ...findings, errors: [...errors, ...findings.errors] };
}

/** Metadata is validated for every update of any kind, and then again with the object: errors are reported twice. */
function updatedMetadataErrors(object: JsonObject, old: JsonObject, namespaced: boolean): FieldError[] {
  const [now, before] = [metadataOf(object), metadataOf(old)];
  const errors = [
    ...validateObjectMeta(now, namespaced, checkPathSegmentName),
    ...validateObjectMetaUpdate(now, before),
  ];
  return errors.map((error) => ({ code: "object_metadata", ...error }));
}

/** Warnings for the client of a write that is admitted. */
export function writeWarnings({ old, subresource }: Write, object: JsonObject): readonly Warning[] {
  return subresource === "status" ? [] : finalizerWarnings(object, old);
}
