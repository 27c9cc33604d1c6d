// Metadata of built-in kinds: the rules of every object, and finalizers with a domain or of Kubernetes' own.

import { pushAll } from "@celadon/base";
import type { ObjectMeta } from "../../api/generated/meta-v1.ts";
import type { ObjectMeta as AnyObjectMeta } from "../../metadata.ts";
import type { TextCheck } from "../../names.ts";
import { validateLabels } from "../../selector/label-selector.ts";
import { wasEmpty } from "../../types/empty-fields.ts";
import { validateAnnotations, validateObjectMeta, validateObjectMetaUpdate } from "../../validate-metadata.ts";
import { isEmpty, type ValidatedField } from "../field.ts";

const STANDARD_FINALIZERS: readonly string[] = ["kubernetes", "orphan", "foregroundDeletion"];

export interface MetadataScope {
  readonly namespaced: boolean;
  readonly name: TextCheck;
  /** The prefix of generated names is checked like a whole name. */
  readonly wholeGenerateName?: boolean;
  /** Only names are checked, not generateName. */
  readonly anyGenerateName?: boolean;
  /** Finalizers need no domain. */
  readonly anyFinalizer?: boolean;
}

/** A new object's metadata. */
export function metadata(meta: ObjectMeta | undefined, scope: MetadataScope, at: ValidatedField): void {
  const looked = scope.anyGenerateName ? { ...plain(meta), generateName: "" } : plain(meta);
  const prefix = scope.wholeGenerateName ? scope.name : undefined;
  pushAll(at.errors, validateObjectMeta(looked, scope.namespaced, scope.name, at.path, prefix, at.by));
  if (!scope.anyFinalizer) finalizers(meta, at);
  if (!scope.anyGenerateName && at.toString() === "metadata") checked.add(at.errors);
}

/** Lists of errors of objects whose metadata was checked completely. */
const checked = new WeakSet<object>();

/** Whether asking the rules of every object's metadata again can find nothing new. */
export function isMetadataChecked(at: ValidatedField): boolean {
  return checked.has(at.errors);
}

export function metadataUpdate(
  meta: ObjectMeta | undefined,
  old: ObjectMeta | undefined,
  at: ValidatedField,
  { anyFinalizer = false }: Pick<MetadataScope, "anyFinalizer"> = {},
): void {
  pushAll(at.errors, validateObjectMetaUpdate(plain(meta), plain(old), at.path, at.by));
  if (!anyFinalizer) finalizers(meta, at);
}

function finalizers(meta: ObjectMeta | undefined, at: ValidatedField): void {
  at.child("finalizers").each(meta?.finalizers, (name, place) => kubeFinalizer(name, place));
}

export function kubeFinalizer(name: string, at: ValidatedField): void {
  if (!name.includes("/") && !STANDARD_FINALIZERS.includes(name)) {
    at.invalid(name, "name is neither a standard finalizer name nor is it fully qualified");
  }
}

export function labels(map: Readonly<Record<string, string>> | undefined, at: ValidatedField): void {
  pushAll(at.errors, validateLabels(map, at.path, at.by));
}

export function annotations(map: Readonly<Record<string, string>> | undefined, at: ValidatedField): void {
  pushAll(at.errors, validateAnnotations(map, at.path, at.by));
}

/** Fields of metadata that templates of claims must leave alone, in the order in which they are checked. */
const FIXED_METADATA: readonly (keyof ObjectMeta)[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "finalizers",
  "managedFields",
];

/** Metadata of objects made from a template: labels and annotations alone. */
export function templateMetadata(meta: ObjectMeta | undefined, at: ValidatedField): void {
  annotations(meta?.annotations, at.child("annotations"));
  labels(meta?.labels, at.child("labels"));
  for (const field of FIXED_METADATA) {
    if (isSet(meta ?? {}, field)) at.child(fieldName(field)).forbidden("cannot be set");
  }
}

/** Whether a field differs from Go's zero value: a list that is empty is set, and so is a pointer to 0 or to the zero time. */
function isSet(meta: ObjectMeta, field: keyof ObjectMeta): boolean {
  if (field === "deletionGracePeriodSeconds" || field === "deletionTimestamp") return meta[field] !== undefined;
  return wasEmpty(meta, field) || !isEmpty(meta[field]);
}

// The Go name with its first letter made small.
function fieldName(field: string): string {
  return field === "uid" ? "uID" : field;
}

// The reader of any object's metadata takes nulls and has no undefined; decoded metadata has neither.
function plain(meta: ObjectMeta | undefined): AnyObjectMeta {
  return (meta ?? {}) as AnyObjectMeta;
}
