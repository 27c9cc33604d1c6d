// Validation of an object's metadata, with the API server's rules, order and words.

import { compareStrings, formatGoJson, pushAll, quoteGo, utf8Length } from "@celadon/base";
import { type Emulation, emulationOf } from "./emulation.ts";
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  JSON_SINCE,
  JsonShown,
  requiredValue,
  ShownBy,
  tooLong,
} from "./field-error.ts";
import { type FieldPath, fieldPath } from "./field-path.ts";
import { GO_ADDRESS } from "./go-syntax.ts";
import { gvkText, parseGroupVersion } from "./gvk.ts";
import { Invalid } from "./invalid.ts";
import { MAX_FIELD_ERRORS } from "./limits.ts";
import type { ObjectMeta, OwnerReference } from "./metadata.ts";
import { asPrefixCheck, checkDns1123Label, checkQualifiedName, type TextCheck } from "./names.ts";
import { validateLabels } from "./selector/label-selector.ts";

/** Keys and values of all annotations together. */
export const TOTAL_ANNOTATION_SIZE_LIMIT: number = 256 * 1024;

/** Errors of metadata on creation, after names are generated. */
export function validateObjectMeta(
  meta: ObjectMeta,
  namespaced: boolean,
  checkName: TextCheck,
  path: FieldPath = fieldPath("metadata"),
  checkPrefix: TextCheck = asPrefixCheck(checkName),
  by: Emulation = emulationOf(),
): FieldError[] {
  const errors: FieldError[] = [];
  const generateName = meta.generateName ?? "";
  const name = meta.name ?? "";
  if (generateName !== "") {
    for (const problem of checkPrefix(generateName, by)) {
      errors.push(invalidValue(path.child("generateName"), generateName, problem));
    }
  }
  if (name === "") errors.push(requiredValue(path.child("name"), "name or generateName is required"));
  else for (const problem of checkName(name, by)) errors.push(invalidValue(path.child("name"), name, problem));
  pushAll(errors, namespaceErrors(meta.namespace ?? "", namespaced, path.child("namespace")));
  if ((meta.generation ?? 0) < 0) {
    errors.push(invalidValue(path.child("generation"), meta.generation, "must be greater than or equal to 0"));
  }
  if (meta.labels) pushAll(errors, validateLabels(meta.labels, path.child("labels"), by));
  if (meta.annotations) pushAll(errors, validateAnnotations(meta.annotations, path.child("annotations"), by));
  if (meta.ownerReferences) pushAll(errors, ownerErrors(meta.ownerReferences, path.child("ownerReferences"), by));
  if (meta.finalizers) pushAll(errors, finalizerErrors(meta.finalizers, path.child("finalizers"), by));
  return errors;
}

/** Errors of new metadata compared with the old. */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  path: FieldPath = fieldPath("metadata"),
  by: Emulation = emulationOf(),
): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp) pushAll(errors, newFinalizerErrors(meta, old, path.child("finalizers")));
  if (!meta.resourceVersion) {
    errors.push(invalidValue(path.child("resourceVersion"), "", "must be specified for an update"));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalidValue(path.child("generation"), meta.generation ?? 0, "must not be decremented"));
  }
  for (const key of ["name", "namespace", "uid"] as const) {
    pushAll(errors, immutableField(meta[key] ?? "", old[key] ?? "", path.child(key), key === "uid"));
  }
  for (const key of ["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    pushAll(errors, immutableField(meta[key] ?? null, old[key] ?? null, path.child(key), true));
  }
  // The zero time is a time, which is written as null.
  if (meta.deletionTimestamp === null && old.deletionTimestamp === undefined) {
    errors.push(invalidValue(path.child("deletionTimestamp"), null, "field is immutable"));
  }
  pushAll(errors, validateLabels(meta.labels, path.child("labels"), by));
  pushAll(errors, validateAnnotations(meta.annotations, path.child("annotations"), by));
  pushAll(errors, ownerErrors(meta.ownerReferences ?? [], path.child("ownerReferences"), by));
  return errors;
}

// A uid and a time are types of their own in Go, which print as JSON.
function immutableField(now: unknown, before: unknown, path: FieldPath, asJson: boolean): FieldError[] {
  if (now === before) return [];
  return [invalidValue(path, asJson ? new JsonShown(now) : now, "field is immutable")];
}

/** Errors of annotations. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | null | undefined,
  path: FieldPath,
  by: Emulation = emulationOf(),
): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {}).sort((a, b) => compareStrings(a[0], b[0]))) {
    if (errors.length < MAX_FIELD_ERRORS) {
      for (const problem of checkQualifiedName(key.toLowerCase(), by)) errors.push(invalidValue(path, key, problem));
    }
    size += utf8Length(key) + utf8Length(value);
  }
  if (size > TOTAL_ANNOTATION_SIZE_LIMIT) errors.push(tooLong(path, TOTAL_ANNOTATION_SIZE_LIMIT, undefined, by));
  return errors;
}

function namespaceErrors(namespace: string, namespaced: boolean, path: FieldPath): FieldError[] {
  if (!namespaced) return namespace === "" ? [] : [forbiddenField(path, "not allowed on this type")];
  if (namespace === "") return [requiredValue(path)];
  return checkDns1123Label(namespace).map((problem) => invalidValue(path, namespace, problem));
}

function ownerErrors(owners: readonly OwnerReference[], path: FieldPath, by: Emulation): FieldError[] {
  const errors: FieldError[] = [];
  let controller = "";
  for (const [i, owner] of owners.entries()) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    pushAll(errors, ownerError(owner, path, by.since(REQUIRED_SINCE) ? path.index(i) : path, by));
    if (owner.controller !== true) continue;
    const name = `${owner.kind}/${owner.name}`;
    if (controller === "") controller = name;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
      errors.push(invalidValue(path, shownOwners(owners), detail));
    }
  }
  return errors;
}

/** Since then a missing field of an owner is required, at the field of that owner; before, it is invalid, at the field of all owners. */
const REQUIRED_SINCE = 37;

function ownerError(owner: OwnerReference, all: FieldPath, at: FieldPath, by: Emulation): FieldError[] {
  const errors: FieldError[] = [];
  const parsed = parseGroupVersion(owner.apiVersion ?? "");
  const gv = parsed instanceof Invalid ? { group: "", version: "" } : parsed;
  const missing = (field: "apiVersion" | "kind" | "name" | "uid", named: string = field): void => {
    const older = by.since(34) && field !== "apiVersion" ? "must not be empty" : `${named} must not be empty`;
    const shown = field === "uid" ? new JsonShown(owner.uid ?? "") : (owner[field] ?? "");
    errors.push(
      by.since(REQUIRED_SINCE)
        ? requiredValue(at.child(field), "must not be empty")
        : invalidValue(at.child(field), shown, older),
    );
  };
  if (by.since(REQUIRED_SINCE) && gv.version === "" && owner.apiVersion) {
    errors.push(invalidValue(at.child("apiVersion"), owner.apiVersion, "must be <group>/<version> or <version>"));
  } else if (gv.version === "") missing("apiVersion", "version");
  if (!owner.kind) missing("kind");
  if (!owner.name) missing("name");
  if (!owner.uid) missing("uid");
  if (gv.group === "" && gv.version === "v1" && owner.kind === "Event") {
    const detail = `${gvkText({ ...gv, kind: owner.kind })} is disallowed from being an owner`;
    errors.push(invalidValue(by.since(REQUIRED_SINCE) ? at : all, shownOwner(owner), detail));
  }
  return errors;
}

function shownOwner(owner: OwnerReference): ShownBy {
  return new ShownBy((by) => (by.before(JSON_SINCE) ? goOwner(owner) : ownerText(owner)));
}

function shownOwners(owners: readonly OwnerReference[]): ShownBy {
  return new ShownBy((by) =>
    by.before(JSON_SINCE)
      ? `[]v1.OwnerReference{${owners.map(goOwner).join(", ")}}`
      : `[${owners.map(ownerText).join(",")}]`,
  );
}

function goOwner(owner: OwnerReference): string {
  const { apiVersion = "", kind = "", name = "", uid = "", controller, blockOwnerDeletion } = owner;
  const texts = Object.entries({ APIVersion: apiVersion, Kind: kind, Name: name, UID: uid });
  const pointers = Object.entries({ Controller: controller, BlockOwnerDeletion: blockOwnerDeletion });
  const fields = [
    ...texts.map(([field, value]) => `${field}:${quoteGo(value)}`),
    ...pointers.map(([field, value]) => `${field}:(*bool)(${value == null ? "nil" : GO_ADDRESS})`),
  ];
  return `v1.OwnerReference{${fields.join(", ")}}`;
}

/** JSON in the order of the Go struct. */
function ownerText(owner: OwnerReference): string {
  const { apiVersion = "", kind = "", name = "", uid = "", controller, blockOwnerDeletion } = owner;
  const fields = Object.entries({ apiVersion, kind, name, uid, controller, blockOwnerDeletion });
  const shown = fields.filter(([, value]) => value != null).map(([key, value]) => `"${key}":${formatGoJson(value)}`);
  return `{${shown.join(",")}}`;
}

function finalizerErrors(finalizers: readonly string[], path: FieldPath, by: Emulation): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    for (const problem of checkQualifiedName(finalizer, by)) errors.push(invalidValue(path, finalizer, problem));
  }
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    const detail = "finalizer orphan and foregroundDeletion cannot be both set";
    errors.push(invalidValue(path, new JsonShown(finalizers), detail));
  }
  return errors;
}

const MAX_MANAGER_BYTES = 128;
const MAX_SUBRESOURCE_BYTES = 256;

/** Errors of the name under which changes are tracked. */
export function fieldManagerErrors(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (utf8Length(manager) > MAX_MANAGER_BYTES) errors.push(tooLong(path, MAX_MANAGER_BYTES));
  let position = 0;
  for (const char of manager) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    if (!isPrintable(char)) {
      const code = char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalidValue(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(char);
  }
  return errors;
}

/** The part of a text that can be the name of a field manager. */
export function toFieldManager(text: string): string {
  let name = "";
  let bytes = 0;
  for (const char of text) {
    if (!isPrintable(char)) continue;
    bytes += utf8Length(char);
    if (bytes > MAX_MANAGER_BYTES) break;
    name += char;
  }
  return name;
}

const isPrintable = (char: string): boolean => char === " " || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);

/**
 * Errors of managed fields as they will be stored. Not part of the errors of metadata: a server first replaces unusable entries of a
 * client.
 */
export function validateManagedFields(
  { managedFields }: ObjectMeta,
  path: FieldPath = fieldPath("metadata", "managedFields"),
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, entry] of ((managedFields ?? []) as readonly ManagedFieldsEntry[]).entries()) {
    if (errors.length >= MAX_FIELD_ERRORS) break;
    const { operation = "", fieldsType = "", manager = "", subresource = "" } = entry;
    const at = path.index(index);
    if (operation !== "Apply" && operation !== "Update") {
      errors.push(invalidValue(at.child("operation"), new JsonShown(operation), "must be `Apply` or `Update`"));
    }
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      errors.push(invalidValue(at.child("fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    pushAll(errors, fieldManagerErrors(manager, at.child("manager")));
    if (utf8Length(subresource) > MAX_SUBRESOURCE_BYTES) {
      errors.push(tooLong(at.child("subresource"), MAX_SUBRESOURCE_BYTES));
    }
  }
  return errors;
}

interface ManagedFieldsEntry {
  readonly operation?: string;
  readonly fieldsType?: string;
  readonly manager?: string;
  readonly subresource?: string;
}

function newFinalizerErrors(meta: ObjectMeta, old: ObjectMeta, path: FieldPath): FieldError[] {
  const before = new Set(old.finalizers ?? []);
  const added = [...new Set(meta.finalizers ?? [])].filter((text) => !before.has(text)).sort(compareStrings);
  if (added.length === 0) return [];
  const shown = `[]string{${added.map((text) => quoteGo(text)).join(", ")}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbiddenField(path, detail)];
}
